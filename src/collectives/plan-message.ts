import type { Algorithm } from './algorithm.js';
import { algorithmOf } from './catalogue.js';
import type { CollectiveInstance, CollectivePlan } from './plan.js';

/** An instance whose algorithm is named, or told by its script, so that it can be cloned. */
export type InstanceMessage = Omit<CollectiveInstance, 'algorithm'> & {
  readonly algorithm: string;
  readonly script?: object;
};

/** A plan as plain data, for another thread. */
export type PlanMessage<P extends CollectivePlan = CollectivePlan> = Omit<P, 'instances'> & {
  readonly instances: readonly InstanceMessage[];
};

/** Makes an algorithm from its script. */
export type ScriptReader = (script: object) => Algorithm;

/** The plan with its algorithms named instead of given. */
export function planForWorker<P extends CollectivePlan>(plan: P): PlanMessage<P> {
  return {
    ...plan,
    instances: plan.instances.map((instance) => {
      const { name, script } = instance.algorithm;
      return { ...instance, algorithm: name, ...(script && { script }) };
    }),
  };
}

/**
 * The plan behind a message; instances with one script get one algorithm.
 * @param readScript for algorithms that are none of the catalogue
 */
export function planFromWorker<P extends CollectivePlan>(message: PlanMessage<P>, readScript: ScriptReader): P {
  const read = new Map<object, Algorithm>();
  const algorithmOfScript = (script: object): Algorithm => {
    let algorithm = read.get(script);
    if (algorithm === undefined) read.set(script, (algorithm = readScript(script)));
    return algorithm;
  };
  const instances = message.instances.map(({ script, ...instance }) => ({
    ...instance,
    algorithm: script === undefined ? algorithmOf(instance.type, instance.algorithm) : algorithmOfScript(script),
  }));
  return { ...message, instances } as unknown as P;
}
