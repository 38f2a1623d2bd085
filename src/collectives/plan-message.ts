import { algorithmOf } from './catalogue.js';
import type { CollectiveInstance, CollectivePlan } from './plan.js';

/** An instance whose algorithm is named, so that it can be cloned. */
export type InstanceMessage = Omit<CollectiveInstance, 'algorithm'> & { readonly algorithm: string };

/** A plan as plain data, for another thread. */
export type PlanMessage<P extends CollectivePlan = CollectivePlan> = Omit<P, 'instances'> & {
  readonly instances: readonly InstanceMessage[];
};

/** The plan with its algorithms named instead of given. */
export function planForWorker<P extends CollectivePlan>(plan: P): PlanMessage<P> {
  return {
    ...plan,
    instances: plan.instances.map((instance) => ({ ...instance, algorithm: instance.algorithm.name })),
  };
}

/** The plan behind a message. */
export function planFromWorker<P extends CollectivePlan>(message: PlanMessage<P>): P {
  const instances = message.instances.map((instance) => ({
    ...instance,
    algorithm: algorithmOf(instance.type, instance.algorithm),
  }));
  return { ...message, instances } as unknown as P;
}
