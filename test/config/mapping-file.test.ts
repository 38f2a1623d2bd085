import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseMappingFile, readMappingFile } from '../../src/config/mapping-file.js';
import type { Mapping } from '../../src/replay/placement.js';
import { newFolder } from '../support/folders.js';

const WORKED_EXAMPLE = `# rank, server, group, subgroup
0 0 0 0
1,1,0,0
2, 2, 0, 1
3, 3, 0, 1
4, 4, 1, 0
5, 5, 1, 0
6, 6
7, 7
@ group, Gbps, switch ns, cable ns
0, 800.0, 100.0, 100.0
1, 800.0, 50.0, 50.0
`;

const WORKED_EXAMPLE_JSON = `{
  "ranks": [
    {"rank": 0, "server": 0, "group": 0, "subgroup": 0},
    {"rank": 1, "server": 1, "group": 0, "subgroup": 0},
    {"rank": 2, "server": 2, "group": 0, "subgroup": 1},
    {"rank": 3, "server": 3, "group": 0, "subgroup": 1},
    {"rank": 4, "server": 4, "group": 1, "subgroup": 0},
    {"rank": 5, "server": 5, "group": 1, "subgroup": 0},
    {"rank": 6, "server": 6},
    {"rank": 7, "server": 7}
  ],
  "groups": [
    {"id": 0, "bandwidthGbps": 800, "switchLatencyNs": 100, "cableLatencyNs": 100},
    {"id": 1, "bandwidthGbps": 800, "switchLatencyNs": 50, "cableLatencyNs": 50}
  ]
}
`;

function parse(text: string, path = 'ranks.map'): Mapping {
  return parseMappingFile(Buffer.from(text), path).mapping;
}

/** What a text is refused with, without the file's name. */
function refusal(text: string, path = 'ranks.map'): string {
  try {
    parse(text, path);
  } catch (error) {
    const { message } = error as Error;
    expect(message.startsWith(`${path}: `)).toBe(true);
    return message.slice(path.length + 2);
  }
  throw new Error(`accepted: ${JSON.stringify(text)}`);
}

/** The worked example with one line replaced, or dropped. */
function changed(line: string, other?: string): string {
  expect(WORKED_EXAMPLE).toContain(`\n${line}\n`);
  return WORKED_EXAMPLE.replace(`\n${line}\n`, other === undefined ? '\n' : `\n${other}\n`);
}

const EXPECTED: Mapping = {
  serverOf: Uint32Array.of(0, 1, 2, 3, 4, 5, 6, 7),
  groups: [
    { id: 0, bandwidthGbps: 800, switchLatencyPs: 100_000, cableLatencyPs: 100_000 },
    { id: 1, bandwidthGbps: 800, switchLatencyPs: 50_000, cableLatencyPs: 50_000 },
  ],
  groupOf: Int32Array.of(0, 0, 0, 0, 1, 1, -1, -1),
  subgroupOf: Uint32Array.of(0, 0, 1, 1, 0, 0, 0, 0),
};

describe('the worked example of section 4.1', () => {
  test('R-034 to R-036 in text', () => {
    expect(parse(WORKED_EXAMPLE)).toEqual(EXPECTED);
  });

  test('R-038 in JSON gives the identical mapping', () => {
    expect(parse(WORKED_EXAMPLE_JSON, 'ranks.json')).toEqual(EXPECTED);
    expect(parse(JSON.stringify(JSON.parse(WORKED_EXAMPLE_JSON)), 'ranks.json')).toEqual(EXPECTED);
  });

  test.each([
    ['5, 5, 1, 0', undefined, 'rank 5 missing, expected each rank from 0 to 7 once'],
    ['7, 7', '7, 6', 'line 9: server 6 used twice, first on line 8'],
    ['6, 6', '6, 6, 1', 'line 8: 3 fields, expected two (rank, server) or four (rank, server, group, subgroup)'],
    ['1, 800.0, 50.0, 50.0', undefined, 'line 6: group 1 has no parameters'],
    ['6, 6', '6, 4294967295', 'line 8: server 4294967295: expected an integer from 0 to 4294967294'],
  ])('R-035, R-036 with %j as %j', (line, other, message) => {
    expect(refusal(changed(line, other))).toBe(message);
  });
});

describe('R-034 lines and fields', () => {
  test.each(['0,7 #rack 1', '0 7', '0 , 7', '  ,0,,  7 ,', '0,7', '0,7\n', '\n\n# a\n   \n0 7 # b\n#c', '0 7#x'])(
    '%j places rank 0 on server 7',
    (text) => {
      expect([...parse(text).serverOf]).toEqual([7]);
    },
  );

  test('R-034 a tab is an error, in a comment too', () => {
    expect(refusal('0\t7\n')).toBe('line 1: a tab in column 2, expected blanks or commas between fields');
    expect(refusal('0 7 # a\tb\n')).toBe('line 1: a tab in column 8, expected blanks or commas between fields');
  });

  test('R-034 a carriage return is an error', () => {
    expect(refusal('# ranks\n0 7\r\n')).toBe('line 2: a carriage return in column 4, expected LF line ends');
  });

  test('R-034 at most 127 bytes stand before the comment', () => {
    expect([...parse(`${' '.repeat(124)}0 7# comment`).serverOf]).toEqual([7]);
    expect(refusal(`${' '.repeat(125)}0 7# comment`)).toBe(
      'line 1: 128 bytes before the comment, expected at most 127',
    );
    expect(refusal(`${' '.repeat(128)}0 7`)).toBe('line 1: 131 bytes before the comment, expected at most 127');
    expect(refusal(`0 7\n${' '.repeat(128)}\n`)).toBe('line 2: 128 bytes before the comment, expected at most 127');
  });

  test('R-034 a line has at most 4096 bytes, counted as bytes', () => {
    expect([...parse(`0 7 #${'x'.repeat(4091)}`).serverOf]).toEqual([7]);
    expect(refusal(`0 7 #${'x'.repeat(4092)}`)).toBe('line 1: 4097 bytes, expected at most 4096');
    expect(refusal(`0 7 #${'é'.repeat(2046)}`)).toBe('line 1: 4097 bytes, expected at most 4096');
  });

  test('R-034 a file has at most 64,000,000 bytes', () => {
    const path = join(newFolder(), 'large.map');
    writeFileSync(path, '0 7\n');
    truncateSync(path, 64_000_001);
    expect(() => readMappingFile(path)).toThrow(`${path}: 64,000,001 bytes, expected at most 64,000,000`);
  });

  test('a line of commas is not blank', () => {
    expect(refusal('0 7\n , ,\n')).toMatch(/^line 2: 0 fields, expected two/);
  });

  test('a byte order mark and other characters are errors', () => {
    expect(refusal('\ufeff0 7\n')).toBe('line 1: byte order mark, expected plain text');
    expect(refusal('0 é\n')).toBe('line 1: server "é": expected an integer from 0 to 4294967294');
  });

  test('a file that cannot be read is named', () => {
    expect(() => readMappingFile('/nowhere/ranks.map')).toThrow(/^\/nowhere\/ranks\.map: cannot be read \(ENOENT/);
  });
});

describe('R-035 one rank a line', () => {
  test.each([
    ['', 'no ranks, expected one line a rank'],
    ['# nothing\n', 'no ranks, expected one line a rank'],
    ['1 7\n', 'rank 0 missing, expected each rank from 0 to 1 once'],
    ['0 7\n4294967295 8\n', 'rank 1 missing, expected each rank from 0 to 4294967295 once'],
    ['0 7\n0 8\n', 'line 2: rank 0 used twice, first on line 1'],
    ['0 7\n1 8\n2 7\n', 'line 3: server 7 used twice, first on line 1'],
    ['0\n', 'line 1: 1 field, expected two (rank, server) or four (rank, server, group, subgroup)'],
    ['0 1 2 3 4\n', 'line 1: 5 fields, expected two (rank, server) or four (rank, server, group, subgroup)'],
    ['0 -7\n', 'line 1: server -7: expected an integer from 0 to 4294967294'],
    ['+0 7\n', 'line 1: rank +0: expected an integer from 0 to 4294967295'],
    ['0 0x7\n', 'line 1: server "0x7": expected an integer from 0 to 4294967294'],
    ['0 7.0\n', 'line 1: server 7.0: expected an integer from 0 to 4294967294'],
    ['0 7 4294967296 0\n', 'line 1: group 4294967296: expected an integer from 0 to 4294967295'],
    ['0 7 0 4294967296\n', 'line 1: subgroup 4294967296: expected an integer from 0 to 4294967295'],
    ['4294967296 7\n', 'line 1: rank 4294967296: expected an integer from 0 to 4294967295'],
  ])('R-035 %j', (text, message) => {
    expect(refusal(text)).toBe(message);
  });

  test('R-035 the ranks come in any order, and the largest numbers are taken', () => {
    const mapping = parse('1 4294967294 4294967295 4294967295\n0 007\n@\n4294967295 1 0 0\n');
    expect([...mapping.serverOf]).toEqual([7, 4_294_967_294]);
    expect([...mapping.groupOf]).toEqual([-1, 0]);
    expect([...mapping.subgroupOf]).toEqual([0, 4_294_967_295]);
    expect(mapping.groups[0].id).toBe(4_294_967_295);
  });
});

describe('R-036 parameters of groups', () => {
  const withGroup = (...lines: string[]): string => `0 0 3 0\n@\n${lines.join('\n')}\n`;

  test('R-036 @ and # both begin comments behind the first line with @', () => {
    expect(parse('0 0 3 0\n@ 9 9 9 9\n@ 3 1 1 1\n3 400 33.5 0.001 @ left rack\n# end\n').groups).toEqual([
      { id: 3, bandwidthGbps: 400, switchLatencyPs: 33_500, cableLatencyPs: 1 },
    ]);
  });

  test.each([
    ['@\n0 0\n', 1],
    ['# a\n@ group\n0 0\n', 2],
  ])('R-036 @ before the first rank is an error: %j', (text, line) => {
    expect(refusal(text)).toMatch(new RegExp(`^line ${line}: @ before the first rank`));
  });

  test('R-036 @ begins the section in the first column only', () => {
    expect(refusal('0 0\n @ group\n')).toMatch(/^line 2: @ before/);
    expect(refusal('0 0 @\n')).toMatch(/^line 1: 3 fields/);
  });

  test.each([
    ['3 400 33.5 33.5', 400, 33_500, 33_500],
    ['3 1e-9 0 0', 1e-9, 0, 0],
    ['3 1.8446744073709551e10 1e-3 0.001', 18_446_744_073.709_551, 1, 1],
    ['3 53.6870912 1.0005 2.00049', 53.687_091_2, 1001, 2000],
    ['3 8e2 1E1 .5', 800, 10_000, 500],
    ['3 0.000000001 0.0 0e0', 1e-9, 0, 0],
  ])('R-036, R-002 %s', (line, bandwidthGbps, switchLatencyPs, cableLatencyPs) => {
    expect(parse(withGroup(line)).groups).toEqual([{ id: 3, bandwidthGbps, switchLatencyPs, cableLatencyPs }]);
  });

  test.each([
    ['0', 'bandwidth 0'],
    ['0.9999999999999999999e-9', 'bandwidth 0.9999999999999999999e-9'],
    ['1.8446744073709552e10', 'bandwidth 1.8446744073709552e10'],
    ['18446744073.709552', 'bandwidth 18446744073.709552'],
    ['1e999999999', 'bandwidth 1e999999999'],
    ['-800', 'bandwidth -800'],
    ['+800', 'bandwidth +800'],
    ['0x320', 'bandwidth "0x320"'],
    ['NaN', 'bandwidth "NaN"'],
    ['Infinity', 'bandwidth "Infinity"'],
    ['800Gbps', 'bandwidth "800Gbps"'],
  ])('R-036 bandwidth %s is refused', (bandwidth, subject) => {
    expect(refusal(withGroup(`3 ${bandwidth} 1 1`))).toBe(
      `line 3: ${subject}: expected a decimal number from 1e-9 to below 1.8446744073709552e10 Gbps`,
    );
  });

  test.each(['0.0009', '1.8446744073709552e16', '18446744073709552', '-1', 'inf', '0x1p3'])(
    'R-036 latency %s is refused',
    (latency) => {
      const expected = 'expected 0, or a decimal number from 1e-3 to below 1.8446744073709552e16 ns';
      expect(refusal(withGroup(`3 800 ${latency} 1`))).toMatch(new RegExp(`^line 3: switch latency .*: ${expected}$`));
      expect(refusal(withGroup(`3 800 1 ${latency}`))).toMatch(new RegExp(`^line 3: cable latency .*: ${expected}$`));
    },
  );

  test('R-036 a latency up to the limit is taken', () => {
    expect(parse(withGroup('3 800 18446744073709551 0')).groups[0].switchLatencyPs).toBe(18_446_744_073_709_551_000);
  });

  test.each([
    ['3 800 1', 'line 3: 3 fields, expected four (group, bandwidth Gbps, switch latency ns, cable latency ns)'],
    ['3 800 1 1 1', 'line 3: 5 fields, expected four (group, bandwidth Gbps, switch latency ns, cable latency ns)'],
    ['3 800 1 1\n3 400 1 1', 'line 4: group 3 declared twice, first on line 3'],
    ['4 800 1 1', 'line 1: group 3 has no parameters'],
  ])('R-036 %j', (lines, message) => {
    expect(refusal(withGroup(lines))).toBe(message);
  });

  test('R-036 a group that no rank is in is a warning, and no group of the mapping', () => {
    const { mapping, findings } = parseMappingFile(Buffer.from(withGroup('3 800 1 1', '5 800 1 1')), 'ranks.map');
    expect(mapping.groups.map(({ id }) => id)).toEqual([3]);
    expect(findings).toMatchObject([
      { code: 'MAPPING_GROUP_UNUSED', severity: 'warning', message: 'ranks.map: line 4: no rank is in group 5' },
    ]);
  });

  test('groups come in ascending id, whatever the order of the file', () => {
    const mapping = parse('0 0 9 0\n1 1 2 0\n@\n9 1 0 0\n2 2 0 0\n');
    expect(mapping.groups.map(({ id }) => id)).toEqual([2, 9]);
    expect([...mapping.groupOf]).toEqual([1, 0]);
  });
});

describe('R-038 the JSON form', () => {
  const refused = (text: string): string => refusal(text, 'ranks.json');

  test.each([
    ['{"ranks":[{"rank":0,"server":7}]}', [7]],
    ['\n{ "ranks" : [\n\t{"server": 7, "rank": 0} ] , "groups": [] }\n', [7]],
  ])('R-038 %j', (text, servers) => {
    expect([...parse(text, 'ranks.json').serverOf]).toEqual(servers);
  });

  test('R-038 a latency is converted from its digits, as in the text form', () => {
    const group = '{"id":3,"bandwidthGbps":53.6870912,"switchLatencyNs":1.0005,"cableLatencyNs":1E1}';
    const json = `{"ranks":[{"rank":0,"server":0,"group":3,"subgroup":0}],"groups":[${group}]}`;
    expect(parse(json, 'ranks.json')).toEqual(parse('0 0 3 0\n@\n3 53.6870912 1.0005 1E1\n'));
    expect(parse(json, 'ranks.json').groups[0].switchLatencyPs).toBe(1001);
  });

  test.each([
    ['{"ranks":[{"rank":0,"server":7}],"note":1}', 'line 1: unknown key "note", expected one of ranks, groups'],
    [
      '{"ranks":[\n{"rank":0,"server":7,"sever":7}]}',
      'line 2: unknown key "sever", expected one of rank, server, group, subgroup',
    ],
    ['{"ranks":[\n{"rank":0,"server":7,"group":0}]}', 'line 2: subgroup missing in an item of ranks'],
    ['{"ranks":[\n{"rank":0,"server":7,"subgroup":0}]}', 'line 2: group missing in an item of ranks'],
    ['{"ranks":[{"rank":0}]}', 'line 1: server missing in an item of ranks'],
    ['{"groups":[]}', 'line 1: ranks missing in the file'],
    ['{"ranks":[]}', 'no ranks, expected one line a rank'],
    ['{"ranks":{}}', 'line 1: ranks is an object, expected a list'],
    ['[]', 'line 1: the file is a list, expected an object'],
    ['{"ranks":[\n\n7]}', 'line 3: an item of ranks is 7, expected an object'],
    ['{"ranks":[{"rank":"0","server":7}]}', 'line 1: rank is "0", expected a number'],
    ['{"ranks":[{"rank":0,\n"server":null}]}', 'line 2: server is null, expected a number'],
    ['{"ranks":[{"rank":0,"server":7.0}]}', 'line 1: server 7.0: expected an integer from 0 to 4294967294'],
    ['{"ranks":[{"rank":0,"server":1e1}]}', 'line 1: server 1e1: expected an integer from 0 to 4294967294'],
    [
      '{"ranks":[{"rank":0,"server":4294967295}]}',
      'line 1: server 4294967295: expected an integer from 0 to 4294967294',
    ],
    ['{"ranks":[{"rank":0,"server":7},\n{"rank":1,"server":7}]}', 'line 2: server 7 used twice, first on line 1'],
    ['{"ranks":[{"rank":1,"server":7}]}', 'rank 0 missing, expected each rank from 0 to 1 once'],
    ['{"ranks":[{"rank":0,\n"rank":1,"server":7}]}', 'line 2: key "rank" given twice'],
    ['{"ranks":[{"rank":0,"server":7},]}', 'line 1: no JSON at "]}", expected a value'],
    ['{"ranks":[{"rank":00,"server":7}]}', 'line 1: no JSON at "00,\\"server\\":", expected a value'],
    ['{"ranks":[\n{"rank":0', 'line 2: no JSON at the end, expected a comma or }'],
    ["{'ranks':[]}", `line 1: no JSON at "'ranks':[]}", expected a key in double quotes, of at most 1000 characters`],
    ['{"ranks":[]} x', 'line 1: no JSON at "x", expected nothing after the value'],
    ['// ranks\n{}', 'line 1: no JSON at "// ranks\\n{}", expected a value'],
    ['', 'line 1: no JSON at the end, expected a value'],
  ])('R-038 %j', (text, message) => {
    expect(refused(text)).toBe(message);
  });

  test('R-038 a key of two million characters, and lists within lists, are refused as anything else', () => {
    expect(refused(`{"${'k'.repeat(2_000_000)}":1}`)).toBe(
      `line 1: no JSON at "\\"${'k'.repeat(11)}", expected a key in double quotes, of at most 1000 characters`,
    );
    expect(refused('['.repeat(100_000))).toBe('line 1: nested deeper than 100 levels');
  });

  test('R-038 groups are held to the rules of R-036', () => {
    const file = (group: string): string =>
      `{"ranks":[{"rank":0,"server":0,"group":3,"subgroup":0}],\n"groups":[${group}]}`;
    const group = (bandwidth: string, hop: string, cable: string): string =>
      `{"id":3,"bandwidthGbps":${bandwidth},"switchLatencyNs":${hop},"cableLatencyNs":${cable}}`;
    expect(refused(file(''))).toBe('line 1: group 3 has no parameters');
    expect(refused(file(group('0', '1', '1')))).toMatch(/^line 2: bandwidth 0: expected a decimal number from 1e-9/);
    expect(refused(file(group('1', '0.0009', '1')))).toMatch(/^line 2: switch latency 0\.0009: expected 0, or/);
    expect(refused(file(group('1', '1', '-1')))).toMatch(/^line 2: cable latency -1: expected 0, or/);
    expect(refused(file(`${group('1', '1', '1')},${group('1', '1', '1')}`))).toBe(
      'line 2: group 3 declared twice, first on line 2',
    );
    expect(refused(file('{"id":3,"bandwidthGbps":1,"switchLatencyNs":1}'))).toBe(
      'line 2: cableLatencyNs missing in an item of groups',
    );
  });

  test('R-038 the form is chosen by the extension', () => {
    expect(refusal('{"ranks":[]}', 'ranks.txt')).toMatch(/^line 1: 1 field/);
    expect(refusal('0 7\n', 'ranks.json')).toMatch(/^line 1: /);
  });
});
