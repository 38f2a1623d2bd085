import { canCarry, kernelWord } from '../../../src/pytorch/communication/kernel-words.js';
import { CollectiveType } from '../../../src/trace/collective-type.js';

const { allReduce, broadcast, allGather, reduceScatter, reduce, barrier } = CollectiveType;

test.each([
  ['ncclAllReduceRingLLKernel_sum_f32(ncclColl)', allReduce],
  ['ncclBroadcastRingLLKernel_copy_i8(ncclColl)', broadcast],
  ['ncclReduceScatterTreeLL128Kernel_sum_f16(ncclColl)', reduceScatter],
  ['ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm*, unsigned long, ncclWork*)', allReduce],
  ['ncclKernel_Reduce_RING_LL_Sum_float(ncclWorkElem)', reduce],
  ['ncclDevKernel_AllGather_RING_LL(ncclDevComm*, unsigned long, ncclWork*)', allGather],
  ['ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)', reduceScatter],
  ['ncclSymkDevKernel_AllReduce_AGxLL_R_sum_f32', allReduce],
  ['void ncclSymDevKernel_AllGather_LL(ncclSymDevArgs)', allGather],
])('%s tells collective type %d', (name, type) => {
  expect(kernelWord(name)).toEqual({ sendsAndReceives: false, meaning: { kind: 'collective', type } });
});

test.each(['ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclDevComm*)', 'ncclDevKernel_SendRecv(ncclDevComm*)'])(
  '%s tells sends and receives alone',
  (name) => {
    expect(kernelWord(name)).toEqual({ sendsAndReceives: true, meaning: undefined });
  },
);

test.each([
  'ncclDevKernel_Generic_4(ncclDevKernelArgsStorage<4096ul>)',
  'rcclGenericKernel<1>',
  'mscclKernel_Sum_half_Simple',
])('%s is communication of a type that the name does not tell', (name) => {
  expect(kernelWord(name)).toEqual({ sendsAndReceives: false, meaning: undefined });
});

test.each([
  'void at::native::vectorized_elementwise_kernel<4>',
  'ampere_sgemm_128x64',
  'Memcpy DtoD',
  'nccl:all_reduce',
])('%s is no kernel of communication', (name) => {
  expect(kernelWord(name)).toBeUndefined();
});

test('kernels of sends and receives carry anything, others what they are made for', () => {
  const word = kernelWord('ncclKernel_AllReduce_RING_LL_Sum_float(');
  expect(canCarry(word, { kind: 'collective', type: allReduce })).toBe(true);
  expect(canCarry(word, { kind: 'collective', type: barrier })).toBe(true);
  expect(canCarry(word, { kind: 'collective', type: broadcast })).toBe(false);
  expect(canCarry(word, { kind: 'send' })).toBe(false);
  const sends = kernelWord('ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(');
  expect(canCarry(sends, { kind: 'collective', type: allReduce })).toBe(true);
  expect(canCarry(sends, { kind: 'receive' })).toBe(true);
});
