import { issueOrder } from '../../../src/pytorch/communication/issue-order.js';

test('ids order what has them, whatever the times', () => {
  expect(
    issueOrder([
      { id: 30, startNs: 1 },
      { id: 10, startNs: 2 },
      { id: 20, startNs: NaN },
    ]),
  ).toEqual([1, 2, 0]);
});

test('what has a time alone goes before the first that started later', () => {
  expect(
    issueOrder([
      { id: 10, startNs: 100 },
      { id: 20, startNs: 200 },
      { id: NaN, startNs: 150 },
      { id: NaN, startNs: 250 },
      { id: NaN, startNs: 50 },
    ]),
  ).toEqual([4, 0, 2, 1, 3]);
});

test('equal ones keep their order', () => {
  expect(
    issueOrder([
      { id: 5, startNs: 9 },
      { id: 5, startNs: 8 },
    ]),
  ).toEqual([0, 1]);
});
