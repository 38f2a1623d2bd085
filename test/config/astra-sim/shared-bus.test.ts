import { systemFile, told } from '../../support/system-files.js';

const BUS = { 'model-shared-bus': 1, L: 5, o: 2, g: 1, G: 0.01, 'local-reduction-delay': 3 };

describe('model-shared-bus (section 15)', () => {
  test('L, o and g are whole ns, G is ns a byte in single precision', () => {
    const read = systemFile(BUS);
    expect(read.configuration.sharedBus).toEqual({
      latencyNs: 5,
      overheadNs: 2,
      gapNs: 1,
      gapPerByteNs: 0.009999999776482582, // the single that is nearest to 0.01
      reductionDelayNs: 3,
    });
    expect(read.findings).toEqual([]);
  });

  test('what stands behind the point of L, o, g and local-reduction-delay is cut off, and said', () => {
    const read = systemFile({ ...BUS, L: 5.9, o: 2.5, g: 0.99, 'local-reduction-delay': 3.7 });
    expect(read.configuration.sharedBus).toMatchObject({ latencyNs: 5, overheadNs: 2, gapNs: 0, reductionDelayNs: 3 });
    expect(told(read)).toEqual(
      ['L: 5.9 counts as 5', 'o: 2.5 counts as 2', 'g: 0.99 counts as 0', 'local-reduction-delay: 3.7 counts as 3'].map(
        (cut) => `note SYSTEM_VALUE_CUT: system.json:1: ${cut}, ASTRA-sim takes whole numbers here`,
      ),
    );
  });

  test('singles come before integers: 0.99999999 is 1 in single precision, 16777217 is 16777216', () => {
    expect(systemFile({ ...BUS, L: 0.99999999, o: 16_777_217 }).configuration.sharedBus).toMatchObject({
      latencyNs: 1,
      overheadNs: 16_777_216,
    });
  });

  test('true turns it on, 0 and false off; nothing is told of false, which ASTRA-sim takes for off here', () => {
    expect(systemFile({ ...BUS, 'model-shared-bus': true }).configuration).toHaveProperty('sharedBus');
    for (const off of [0, false]) {
      const read = systemFile({ 'model-shared-bus': off });
      expect(read.configuration).not.toHaveProperty('sharedBus');
      expect(read.findings).toEqual([]);
    }
  });

  test('parameters without the bus are not used', () => {
    const read = systemFile({ L: 5, G: 0.01 });
    expect(read.configuration).not.toHaveProperty('sharedBus');
    expect(told(read)).toEqual([
      'note SETTING_UNUSED: L is not used: system.json does not turn model-shared-bus on',
      'note SETTING_UNUSED: G is not used: system.json does not turn model-shared-bus on',
    ]);
  });
});
