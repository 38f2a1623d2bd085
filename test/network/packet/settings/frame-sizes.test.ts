import {
  dataWireBytes,
  frameSettings,
  largestControlWireBytes,
  packetsOf,
  payloadOf,
  wireBytes,
} from '../../../../src/network/packet/settings/frame-sizes.js';
import type { NicKind } from '../../../../src/network/packet/settings/packet-settings.js';
import type { StatedSettings } from '../../../../src/network/packet/settings/stated-settings.js';

function full(nic: NicKind, stated: StatedSettings = {}): number {
  const frames = frameSettings(nic, stated);
  return dataWireBytes(frames, frames.mssBytes);
}

/** Bytes on the wire of each packet of a message. */
function message(nic: NicKind, bytes: number, stated: StatedSettings = {}): number[] {
  const frames = frameSettings(nic, stated);
  return Array.from({ length: packetsOf(frames, bytes) }, (_, index) =>
    dataWireBytes(frames, payloadOf(frames, bytes, index)),
  );
}

describe('section 1.1', () => {
  test('NET-2: full frames are 4,154, 4,202 and 4,170 bytes, 4,210 with srv6', () => {
    expect([full('roce'), full('uet'), full('mrc'), full('mrc', { MrcEncap: 'srv6' })]).toEqual([
      4154, 4202, 4170, 4210,
    ]);
    expect(full('uet', { MrcEncap: 'srv6' })).toBe(4202);
  });

  test('NET-2: a message of 10,000 B on RoCEv2 is 4,154, 4,154 and 1,866 bytes', () => {
    expect(message('roce', 10_000)).toEqual([4154, 4154, 1866]);
  });

  test('a message of 0 B is one packet without payload, one of 4,096 B one full packet, of 4,097 B two', () => {
    expect(message('roce', 0)).toEqual([58]);
    expect(message('uet', 4096)).toEqual([4202]);
    expect(message('mrc', 4097)).toEqual([4170, 75]);
  });

  test('other frames', () => {
    expect(frameSettings('roce', {})).toMatchObject({ ackBytes: 126, cnpBytes: 122, pfcBytes: 84 });
    for (const nic of ['uet', 'mrc'] as const) {
      expect(frameSettings(nic, {})).toMatchObject({
        ...{ ackBytes: 78, nackBytes: 62, probeBytes: 62, trimmedBytes: 62, pfcBytes: 64 },
      });
    }
    expect(largestControlWireBytes(frameSettings('roce', {}))).toBe(126);
    expect(largestControlWireBytes(frameSettings('uet', { TrimmedBytes: 90 }))).toBe(90);
  });

  test('all can be stated: the UEC reference simulator has 64 B of headers and ACKs, 4,150 B packets', () => {
    const stated = { MSS: 4086, DataHeaderBytes: 64, AckBytes: 64 };
    expect(full('uet', stated)).toBe(4150);
    expect(frameSettings('uet', stated).ackBytes).toBe(64);
  });

  test('a least frame size and an overhead count for every frame', () => {
    const frames = frameSettings('roce', { MinFrameBytes: 64, PhyOverheadBytes: 20 });
    expect([dataWireBytes(frames, 0), dataWireBytes(frames, 6), dataWireBytes(frames, 7)]).toEqual([84, 84, 85]);
    expect(wireBytes(frames, frames.ackBytes)).toBe(146);
  });

  test('MSS and headers must not exceed Mtu, 9,216', () => {
    expect(full('roce', { MSS: 9158 })).toBe(9216);
    expect(() => full('roce', { MSS: 9159 })).toThrow(
      'MSS 9,159 and 58 bytes of headers are 9,217 bytes, more than Mtu 9,216',
    );
    expect(() => full('uet', { Mtu: 4201 })).toThrow(/are 4,202 bytes, more than Mtu 4,201/);
    expect(full('uet', { Mtu: 4202 })).toBe(4202);
  });

  test.each(['MinFrameBytes', 'PhyOverheadBytes', 'AckBytes', 'CnpBytes', 'PfcFrameBytes'] as const)(
    'no frame exceeds Mtu: %s',
    (name) => {
      expect(() => frameSettings('roce', { [name]: 9216 })).not.toThrow();
      expect(() => frameSettings('roce', { [name]: 9217 })).toThrow(`${name} 9,217 B is more than Mtu 9,216 B`);
    },
  );

  test('an IP packet has at most 65,535 bytes', () => {
    expect(full('roce', { Mtu: 65_535, MSS: 65_477 })).toBe(65_535);
    expect(() => full('roce', { Mtu: 65_536 })).toThrow('Mtu 65,536 B: expected at most 65,535 B');
  });
});
