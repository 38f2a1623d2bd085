import { groupSpraying } from '../../../../src/network/packet/spraying/group-spraying.js';
import type { PacketSettings } from '../../../../src/network/packet/settings/packet-settings.js';
import { RepsSpraying } from '../../../../src/network/packet/spraying/reps.js';
import { RotatingSpraying, SinglePath } from '../../../../src/network/packet/spraying/spraying.js';
import { nscc } from '../../../support/congestion-settings.js';

describe('spraying of a UET group', () => {
  test('default: 1 MiB are ports 256 … 383, each twice', () => {
    const spraying = new RotatingSpraying(128);
    const ports = Array.from({ length: 256 }, () => spraying.next());
    const once = Array.from({ length: 128 }, (_, step) => 256 + step);
    expect(ports).toEqual([...once, ...once]);
    expect(spraying.next()).toBe(256);
  });

  test('default: the fate of packets changes nothing', () => {
    const spraying = new RotatingSpraying(128);
    spraying.next();
    spraying.acked();
    spraying.trimmed();
    spraying.timedOut();
    expect(spraying.next()).toBe(257);
  });

  test('none: one value', () => {
    const spraying = new SinglePath();
    expect(new Set(Array.from({ length: 300 }, () => spraying.next())).size).toBe(1);
  });

  test.each([
    ['default', RotatingSpraying],
    ['none', SinglePath],
    ['reps', RepsSpraying],
  ])('%s is what its name says', (spraying, kind) => {
    const settings = { uet: { spraying, paths: 128 }, nscc: nscc(), frames: { mssBytes: 4096 } };
    expect(groupSpraying(settings as unknown as PacketSettings, 400)).toBeInstanceOf(kind);
  });
});
