import { Activity } from '../../src/astra-sim/activity.js';
import { OperatorKind } from '../../src/astra-sim/system-nodes.js';

const { cpu, gpu, communication, none } = OperatorKind;

describe('time of a kind of node: the union of its intervals (astra-sim-semantics section 16)', () => {
  test('overlapping intervals count once, gaps do not count', () => {
    const activity = new Activity(1);
    // 10–30 and 20–50 are 40 ns; 60–65 are 5 more.
    activity.issue(0, communication, 10);
    activity.issue(0, communication, 20);
    activity.complete(0, communication, 30);
    activity.complete(0, communication, 50);
    activity.issue(0, communication, 60);
    activity.complete(0, communication, 65);
    expect(activity.time(0, communication, 100)).toBe(45);
  });

  test('what still runs counts up to now', () => {
    const activity = new Activity(1);
    activity.issue(0, gpu, 10);
    activity.complete(0, gpu, 15);
    activity.issue(0, gpu, 20);
    expect(activity.time(0, gpu, 27)).toBe(5 + 7);
  });

  test('ranks and kinds are apart; a kind of which nothing ran has no time, one of no length has 0', () => {
    const activity = new Activity(2);
    activity.issue(1, cpu, 3);
    activity.complete(1, cpu, 3);
    activity.issue(1, gpu, 3);
    activity.complete(1, gpu, 9);
    expect([cpu, gpu, communication].map((kind) => activity.time(1, kind, 9))).toEqual([0, 6, undefined]);
    expect([cpu, gpu, communication].map((kind) => activity.time(0, kind, 9))).toEqual(Array(3).fill(undefined));
  });

  test('nodes of no kind are not counted anywhere, not even on the next rank', () => {
    const activity = new Activity(2);
    activity.issue(0, none, 1);
    activity.complete(0, none, 4);
    expect(activity.time(1, cpu, 9)).toBeUndefined();
  });
});
