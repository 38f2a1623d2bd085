import { codes, only, receive, send, validateNodes } from '../../support/validation.js';

test('tag 5 from 0 to 1 and tag 5 from 2 to 1 never match each other (R-064)', () => {
  const findings = validateNodes([[send(1, 1, 5)], [receive(1, 2, 5)], []]).filter(({ code }) => code !== 'NO_NODES');
  expect(codes(findings)).toEqual(['SEND_UNMATCHED warning', 'RECEIVE_UNMATCHED error']);
  expect(findings[0]).toMatchObject({ rank: 0, nodes: [1] });
  expect(findings[0].message).toBe('rank 0: 1 send that nobody receives, to rank 1 with tag 5: node 1');
  expect(findings[1]).toMatchObject({ rank: 1, nodes: [1] });
  expect(findings[1].message).toBe('rank 1: 1 receive that nobody sends to, from rank 2 with tag 5: node 1');
});

test('3 receives and 2 sends of one key: one receive is left (R-069)', () => {
  const ranks = [
    [send(1, 1, 5), send(2, 1, 5)],
    [receive(1, 0, 5), receive(2, 0, 5), receive(3, 0, 5)],
  ];
  const findings = validateNodes(ranks);
  expect(codes(findings)).toEqual(['RECEIVE_UNMATCHED error', 'KEY_SHARED note']);
  expect(findings[0]).toMatchObject({ rank: 1, nodes: [3] });
});

test('many left-overs of a rank are one finding', () => {
  const [found] = validateNodes([Array.from({ length: 20 }, (_, at) => send(at, 1, 100 + at)), [send(1, 0, 1)]]);
  expect(found).toMatchObject({ code: 'SEND_UNMATCHED', count: 20, nodes: [0, 1, 2, 3, 4, 5, 6, 7] });
  expect(found.message).toContain('20 sends that nobody receives, the first to rank 1 with tag 100: nodes 0, 1');
});

test('TRANSFER_SIZE: send 1,000 B, receive says 900 B (R-068)', () => {
  const findings = validateNodes([[send(1, 1, 5, 1000)], [receive(4, 0, 5, 900)]]);
  expect(codes(findings)).toEqual(['TRANSFER_SIZE warning']);
  expect(findings[0]).toMatchObject({ rank: 1, nodes: [4] });
  expect(findings[0].message).toBe(
    'rank 1: 1 receive of another size than the send, 900 bytes from rank 0 with tag 5, whose node 1 sends 1000: node 4',
  );
});

test('equal keys pair by size first, because the order of completion is not known (R-067)', () => {
  const ranks = [
    [send(1, 1, 5, 100), send(2, 1, 5, 50)],
    [receive(1, 0, 5, 50), receive(2, 0, 5, 100)],
  ];
  expect(codes(validateNodes(ranks))).toEqual(['KEY_SHARED note']);
});

test('an absent tag is 0 (R-021)', () => {
  expect(validateNodes([[send(1, 1, 0, 8, { comm_tag: undefined })], [receive(1, 0, 0)]])).toEqual([]);
});

test('PEER_MISSING is an error and names the attribute', () => {
  const ranks = [[send(1, 1, 5, 8, { comm_dst: undefined }), receive(2, 1, 5, 8, { comm_src: undefined })]];
  const findings = validateNodes(ranks);
  expect(codes(findings)).toEqual(['PEER_MISSING error', 'PEER_MISSING error']);
  expect(findings.map(({ nodes, advice }) => [nodes, advice])).toEqual([
    [[1], 'add comm_dst'],
    [[2], 'add comm_src'],
  ]);
});

test('PEER_OUT_OF_RANGE (R-060): 6 → 9 with 8 ranks; nothing is said of its pairing', () => {
  const ranks = Array.from({ length: 8 }, (_, rank) => [
    rank === 6 ? send(1, 9, 5) : send(1, rank, 5),
    receive(2, rank === 6 ? 9 : rank, 5),
  ]);
  const findings = validateNodes(ranks).filter(({ rank }) => rank === 6);
  expect(codes(findings)).toEqual(['PEER_OUT_OF_RANGE error']);
  expect(findings[0].message).toBe(
    'rank 6: 2 sends and receives have partners outside ranks 0 to 7, the lowest rank 9: nodes 1 and 2',
  );
});

test('PEER_SELF (R-060): a send and the receive of the same rank, and either alone', () => {
  const messages = (...nodes: ReturnType<typeof send>[]) =>
    only(validateNodes([nodes]), 'PEER_SELF').map(({ severity, message }) => `${severity}: ${message}`);
  expect(messages(send(1, 0, 5), receive(2, 0, 5))).toEqual([
    'warning: rank 0: 1 send to and 1 receive from the rank itself: nodes 1 "send1" and 2',
  ]);
  expect(messages(send(1, 0, 5))).toEqual(['warning: rank 0: 1 send to the rank itself: node 1 "send1"']);
  expect(messages(receive(2, 0, 5), receive(3, 0, 6))).toEqual([
    'warning: rank 0: 2 receives from the rank itself: nodes 2 "receive2" and 3',
  ]);
  expect(codes(validateNodes([[receive(2, 0, 5)]]))).toEqual(['PEER_SELF warning', 'RECEIVE_UNMATCHED error']);
});

describe('KEY_SHARED (R-067)', () => {
  const shared = (...ranks: Parameters<typeof validateNodes>[0]) =>
    only(validateNodes(ranks), 'KEY_SHARED').map(({ rank, count, nodes, message }) => [rank, count, nodes, message]);

  test('one key, all sizes equal', () => {
    expect(shared([send(1, 1, 5), send(2, 1, 5)], [receive(3, 0, 5), receive(4, 0, 5)])).toEqual([
      [1, 2, [3, 4], 'rank 1: 2 receives from rank 0 share tag 5: nodes 3 and 4'],
    ]);
  });

  test('several keys of a rank are one finding; another tag or sender is another key', () => {
    const receives = [receive(3, 0, 5), receive(4, 0, 5), receive(5, 0, 6), receive(6, 2, 5)];
    const more = [receive(7, 0, 7, 8), receive(8, 0, 7, 16), receive(9, 0, 7, 8)];
    expect(shared([], [...receives, ...more], [])).toEqual([
      [
        1,
        5,
        [3, 4],
        'rank 1: 5 receives share 2 keys (tag and sender), first 2 from rank 0 with tag 5: nodes 3 and 4; sizes differ under 1 key',
      ],
    ]);
  });

  test('several sends of one key with one receive are no matter of order', () => {
    expect(shared([send(1, 1, 5), send(2, 1, 5)], [receive(3, 0, 5)])).toEqual([]);
  });
});

test('ranks that are missing say nothing of their partners', () => {
  expect(codes(validateNodes([[send(1, 1, 5)]], { worldSize: 2 }))).toEqual([]);
});
