import { JsonKeys } from '../json/json-keys.js';
import { DeviceKind } from './device-trace.js';

/** Which columns an event goes to. */
export const Table = { host: 0, calls: 1, device: 2, synchronizations: 3 } as const;

interface Category {
  readonly table: number;
  /** For host events 1 for an annotation, for device events a DeviceKind. */
  readonly kind: number;
}

const HOST_OP: Category = { table: Table.host, kind: 0 };
const CALL: Category = { table: Table.calls, kind: 0 };
const KERNEL: Category = { table: Table.device, kind: DeviceKind.kernel };
const COPY: Category = { table: Table.device, kind: DeviceKind.copy };
const SET: Category = { table: Table.device, kind: DeviceKind.set };
const SYNCHRONIZATION: Category = { table: Table.synchronizations, kind: 0 };

/**
 * Categories that are read (chakra-format section 13), those of accelerators other than CUDA and of Kineto before 2022
 * (capital letters) among them.
 */
const CATEGORIES: Readonly<Record<string, Category>> = {
  cpu_op: HOST_OP,
  Operator: HOST_OP,
  user_annotation: { table: Table.host, kind: 1 },
  cuda_runtime: CALL,
  cuda_driver: CALL,
  Runtime: CALL,
  hip_runtime: CALL,
  xpu_runtime: CALL,
  xpu_driver: CALL,
  mtia_runtime: CALL,
  glow_runtime: CALL,
  privateuse1_runtime: CALL,
  privateuse1_driver: CALL,
  kernel: KERNEL,
  Kernel: KERNEL,
  mtia_ccp_events: KERNEL,
  hpu_op: KERNEL,
  gpu_memcpy: COPY,
  Memcpy: COPY,
  gpu_memset: SET,
  Memset: SET,
  gpu_user_annotation: { table: Table.device, kind: DeviceKind.annotation },
  cuda_sync: SYNCHRONIZATION,
};

export const CATEGORY_KEYS = new JsonKeys(Object.keys(CATEGORIES));

/** By place in CATEGORY_KEYS. */
export const CATEGORY_LIST: readonly Category[] = Object.values(CATEGORIES);
