import fc from 'fast-check';
import { SentPackets } from '../../../../src/network/packet/selective/sent-packets.js';

const MESSAGE = 3;

interface Sent {
  readonly psn: number;
  value: number;
  order: number;
  attempt: number;
  state: 'flying' | 'lost' | 'retired';
}

test('MR-5 (c): packets that were sent before on the same value, the earliest first', () => {
  const sent = new SentPackets();
  sent.open(MESSAGE, 300);
  // Values 7 and 263 share a list where there are 128 or 256 of them.
  for (const value of [7, 263, 7, 9, 7]) sent.sendFresh(MESSAGE, value);
  expect(sent.orderOf(MESSAGE, 4)).toBe(4);
  expect(sent.sentBefore(MESSAGE, 7, 4)).toBe(0);
  sent.lose(MESSAGE, 0);
  expect(sent.sentBefore(MESSAGE, 7, 4)).toBe(2);
  sent.retire(MESSAGE, 2);
  expect(sent.sentBefore(MESSAGE, 7, 4)).toBe(-1);
  expect(sent.sentBefore(MESSAGE, 263, 4)).toBe(1);
  sent.sendAgain(MESSAGE, 0, 7);
  expect([sent.attemptOf(MESSAGE, 0), sent.orderOf(MESSAGE, 0)]).toEqual([1, 5]);
  expect(sent.sentBefore(MESSAGE, 7, 6)).toBe(4);
});

test('packets are sent, lost and retired as a plain list has them', () => {
  const step = fc.tuple(fc.constantFrom('send', 'send', 'again', 'lose', 'retire', 'gap'), fc.nat(), fc.nat(600));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 800 }), fc.integer({ min: 1, max: 1000 }), (steps, packets) => {
      const sent = new SentPackets();
      const plain: Sent[] = [];
      const lost: Sent[] = [];
      let order = 0;
      sent.open(MESSAGE, packets);
      for (const [what, choice, value] of steps) {
        const open = plain.filter(({ state }) => state !== 'retired');
        const flying = plain.filter(({ state }) => state === 'flying');
        if (what === 'send' && plain.length < packets) {
          plain.push({ psn: plain.length, value, order: order++, attempt: 0, state: 'flying' });
          sent.sendFresh(MESSAGE, value);
        } else if (what === 'again' && lost.length > 0) {
          const [packet] = lost.splice(0, 1);
          Object.assign(packet, { value, order: order++, attempt: packet.attempt + 1, state: 'flying' });
          sent.sendAgain(MESSAGE, sent.lostHead[MESSAGE], value);
        } else if (what === 'lose' && flying.length > 0) {
          const packet = flying[choice % flying.length];
          packet.state = 'lost';
          lost.push(packet);
          sent.lose(MESSAGE, packet.psn);
        } else if (what === 'retire' && open.length > 0) {
          const packet = open[choice % open.length];
          expect(sent.retire(MESSAGE, packet.psn)).toBe(packet.state === 'flying');
          if (packet.state === 'lost') lost.splice(lost.indexOf(packet), 1);
          packet.state = 'retired';
        } else if (what === 'gap' && plain.length > 0) {
          const packet = plain[choice % plain.length];
          const before = flying
            .filter((each) => each.value === packet.value && each.order < packet.order)
            .sort((a, b) => a.order - b.order);
          expect(sent.sentBefore(MESSAGE, packet.value, packet.order)).toBe(before[0]?.psn ?? -1);
        }
        const oldest = plain.find(({ state }) => state !== 'retired')?.psn ?? plain.length;
        expect([sent.oldest[MESSAGE], sent.next[MESSAGE]]).toEqual([oldest, plain.length]);
        expect(sent.lostHead[MESSAGE]).toBe(lost[0]?.psn ?? -1);
      }
      for (const { psn, state, value, attempt } of plain) {
        expect(sent.isRetired(MESSAGE, psn)).toBe(state === 'retired');
        expect(sent.isInFlight(MESSAGE, psn)).toBe(state === 'flying');
        if (state === 'retired') continue;
        expect([sent.valueOf(MESSAGE, psn), sent.attemptOf(MESSAGE, psn)]).toEqual([value, attempt]);
      }
    }),
    { numRuns: 60 },
  );
});
