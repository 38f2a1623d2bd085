import { grouped } from '../../src/base/counts.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../../src/cli/commands.js';
import { COMMON_OPTIONS } from '../../src/cli/options.js';
import { FLAG_OF_ATTRIBUTE, QUANTITIES } from '../../src/config/attributes.js';
import { readMappingFile } from '../../src/config/mapping-file.js';
import { REPOSITORY } from '../support/repository.js';

interface AttributeSchema {
  type?: string | string[];
  enum?: string[];
  anyOf?: AttributeSchema[];
  pattern?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  items?: AttributeSchema;
  description?: string;
}

const schema = JSON.parse(readFileSync(join(REPOSITORY, 'schemas', 'run-config.schema.json'), 'utf8')) as {
  properties: Record<string, AttributeSchema>;
};
const page = readFileSync(join(REPOSITORY, 'docs', 'configuration.md'), 'utf8');
const rows = new Map(
  [...page.matchAll(/^\| `([A-Z]\w+)` \| (.*?) \| (.*?) \| (.*?) \| (.*?) ?\|$/gm)].map(
    ([, name, standard, values, flag]) => [name, { standard, values, flag }],
  ),
);
const attributes = Object.keys(schema.properties).filter((name) => /^[A-Z]/.test(name));
const flags = Object.keys(schema.properties).filter((name) => /^[a-z]/.test(name));
/** Flags by the name that is written; -o is --out. */
const options = new Set(
  [COMMON_OPTIONS, ...COMMANDS.map((command) => command.options)].flatMap((some) =>
    Object.entries(some).map(([name, { alias }]) => (typeof alias === 'string' ? alias : name)),
  ),
);

test('docs/configuration.md has a row for every attribute of the schema, and no other', () => {
  expect([...rows.keys()].sort()).toEqual([...attributes].sort());
});

test('every attribute has a flag name that the program looks at', () => {
  const own = attributes.filter((name) => name !== 'Scaling' && name !== 'ScalingFactor');
  expect(own.filter((name) => !(name in FLAG_OF_ATTRIBUTE))).toEqual([]);
});

test.each(attributes)('the row of %s says what the schema says', (name) => {
  const attribute = schema.properties[name];
  const { standard, values, flag } = rows.get(name)!;
  expect(standard).toBe(attribute.default === undefined ? '–' : `\`${String(attribute.default)}\``);
  expect(values).toBe(valuesOf(name, attribute));
  expect(attribute.description).toBeDefined();
  const option = /^`--([a-z-]+)`$/.exec(flag)?.[1];
  if (flag === '–') expect(options).not.toContain(FLAG_OF_ATTRIBUTE[name]);
  else expect(options).toContain(option);
});

function valuesOf(name: string, attribute: AttributeSchema): string {
  const { type, enum: choices, minimum, maximum, exclusiveMinimum, items } = attribute;
  if (attribute.anyOf) return attribute.anyOf.map((one) => valuesOf(name, one)).join(', ');
  if (attribute.pattern === '^file:.') return '`file:PATH`';
  if (choices) return choices.map((choice) => `\`${choice}\``).join(', ');
  if (type === 'boolean') return '`true`, `false`';
  if (items) return `a list of integers from ${items.minimum} to ${grouped(items.maximum!)}`;
  const quantity = QUANTITIES[name];
  switch (quantity?.kind) {
    case 'size':
      return `a size from ${minimum} to ${grouped(maximum!)}`;
    case 'limit':
      return `a size, at least ${minimum}, or \`none\``;
    case 'rate':
      return 'a rate, more than 0';
    case 'time':
      return quantity.least > 0 ? 'a time, more than 0' : 'a time, 0 or more';
  }
  const kind = type === 'integer' ? 'an integer' : 'a number';
  if (exclusiveMinimum !== undefined) {
    return `${kind} above ${exclusiveMinimum}${maximum === undefined ? '' : `, at most ${grouped(maximum)}`}`;
  }
  return maximum === undefined ? `${kind}, at least ${minimum}` : `${kind} from ${minimum} to ${grouped(maximum)}`;
}

test('every flag but --config and --set may stand in the configuration, and nothing else in small letters', () => {
  options.delete('config');
  options.delete('set');
  expect([...flags].sort()).toEqual([...options].sort());
});

test('the bounds of sizes in the schema are those that are checked', () => {
  for (const [name, { kind, least, largest }] of Object.entries(QUANTITIES)) {
    const { minimum, maximum, exclusiveMinimum } = schema.properties[name] as AttributeSchema & {
      exclusiveMinimum?: number;
    };
    if (maximum !== undefined) expect([minimum, maximum]).toEqual([least, largest]);
    else if (minimum !== undefined || exclusiveMinimum !== undefined) {
      const aboveZero = kind === 'rate' ? Number.MIN_VALUE : 1;
      expect(least).toBe(exclusiveMinimum === 0 ? aboveZero : minimum);
    }
  }
});

test('docs/mapping.md shows the sample, and both forms of it are one mapping', () => {
  const sample = join(REPOSITORY, 'samples', 'mapping', 'eight-ranks');
  const text = readFileSync(`${sample}.map`, 'utf8');
  expect(readFileSync(join(REPOSITORY, 'docs', 'mapping.md'), 'utf8')).toContain(`\`\`\`\n${text}\`\`\`\n`);
  expect(readMappingFile(`${sample}.map`)).toEqual(readMappingFile(`${sample}.json`));
});
