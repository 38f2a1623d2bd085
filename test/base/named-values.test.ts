import { ownValue, setOwn } from '../../src/base/named-values.js';

test.each(['constructor', '__proto__', 'toString', 'g'])('%s is a name like any other', (name) => {
  const values: Record<string, number> = {};
  expect(ownValue(values, name)).toBeUndefined();
  setOwn(values, name, 1);
  setOwn(values, name, 2);
  expect(ownValue(values, name)).toBe(2);
  expect(JSON.stringify(values)).toBe(`{"${name}":2}`);
});
