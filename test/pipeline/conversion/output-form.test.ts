import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OUTPUT_FORMS, outputForm } from '../../../src/pipeline/conversion/output-form.js';
import { REPOSITORY } from '../../support/repository.js';

test('every name stands for one form', () => {
  expect(new Set(OUTPUT_FORMS).size).toBe(OUTPUT_FORMS.length);
  for (const name of OUTPUT_FORMS) {
    const form = outputForm(name);
    expect(form.kind === 'trace' ? form.format : form.target.name).toBe(name);
  }
  expect(() => outputForm('pdf')).toThrow(new RangeError('no form is called pdf'));
});

test('a configuration may name each', () => {
  const text = readFileSync(join(REPOSITORY, 'schemas/run-config.schema.json'), 'utf8');
  const schema = JSON.parse(text) as { properties: { to: { enum: string[] } } };
  expect(schema.properties.to.enum).toEqual(OUTPUT_FORMS);
});

test('the docs have a row for each', () => {
  const page = readFileSync(join(REPOSITORY, 'docs/converters.md'), 'utf8');
  for (const name of OUTPUT_FORMS) expect(page).toContain(`\`${name}\``);
});
