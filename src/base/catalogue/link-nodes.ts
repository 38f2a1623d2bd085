import type { CatalogueEntry } from './entry.js';

/** Nodes and dependencies of linked PyTorch traces. */
export const LINK_NODE_CODES = {
  LINK_CALLER_LATE: {
    severity: 'warning',
    title: 'op with a smaller id than its caller',
    meaning:
      'Ids are given out when ops start, so a caller has a smaller id than what it calls. Here it is the other way round.',
    consequence:
      'A control dependency on the caller would point to a node that comes later, and could close a cycle. It is left out; the order of the thread is kept.',
    remedy: ['Look whether the ids of the host trace were changed after it was recorded.'],
    example: {
      finding:
        'warning LINK_CALLER_LATE: rank 0: 1 host node with a caller of a larger id, first node 7 "aten::sub" with id 5, called by 6; no control dependency is written for them',
      mended: 'The op with id 3 names a caller with a smaller id.',
    },
    advice: 'record the host trace again, or write its ids in the order of the starts',
  },
  LINK_CALLER_MISSING: {
    severity: 'warning',
    title: 'op whose caller was not recorded',
    meaning:
      'The host trace names a caller that is not in it, as when recording begins inside an op. The op and what it calls are kept, below a node of their own that carries the attribute `synthetic`.',
    consequence:
      'Nothing is lost but the names of the callers. Other tools drop such ops with all that they launch, collectives among them.',
    remedy: ['Start the recording outside of ops where the callers matter.'],
    example: {
      finding:
        'warning LINK_CALLER_MISSING: rank 0: 1 host node has a caller that is not in in/host_0.json, first node 5 "aten::mul", called by 90; they are kept below node 2',
      mended: 'The node with id 90 is in the host trace.',
    },
    advice: 'start the recording outside of ops where the callers matter',
  },
  LINK_DEPENDENCY_REFUSED: {
    severity: 'warning',
    title: 'dependency on a later node',
    meaning:
      'Times or links say that a node waits for one that comes behind it in the order of the ids. Such dependencies could close a cycle, so they are left out.',
    consequence:
      'The two nodes may overlap in a simulation where they did not in the run. A few mean clocks that differ by microseconds; many mean that the link is wrong.',
    remedy: ['Look at the two nodes named.', 'Where there are many, check that host and device trace are of one run.'],
    example: {
      finding:
        'warning LINK_DEPENDENCY_REFUSED: rank 0: 1 dependency (busy period) would lead back to a later node and is left out, first of node 29 "aten::first" on node 30 "aten::last"',
      mended: 'The op that starts first has the smaller id.',
    },
    advice: 'check that host and device trace are of one run',
  },
  LINK_LAUNCH_REFUSED: {
    severity: 'warning',
    title: 'device event before its launch',
    meaning: 'A kernel, copy or memset starts before the op that is said to have launched it.',
    consequence:
      'It is kept without a dependency on the op, so in a simulation it may start earlier than it could. The clocks of host and device differ, or the link is wrong.',
    remedy: ['Check that host and device trace are of one run.'],
    example: {
      finding:
        'warning LINK_LAUNCH_REFUSED: rank 0: 1 device event started before the op that is said to have launched them, first node 1 "early"; they wait for what their stream did before, and for no op',
      mended: 'The kernel starts after the op that launches it.',
    },
    advice: 'check that host and device trace are of one run',
  },
  LINK_RANKS_MISSING: {
    severity: 'warning',
    title: 'traces of fewer ranks than the job has',
    meaning:
      'The traces say how many ranks the job had, and traces of some of them were not given. The given ranks are linked.',
    consequence:
      'Collectives of the given ranks wait for members that are not there: `validate` reports them, and a simulation of the result stalls.',
    remedy: [
      'Give the traces of all ranks.',
      'Where only some were recorded, `inspect` the ranks one by one, or replay a rank without communication.',
    ],
    example: {
      finding:
        'warning LINK_RANKS_MISSING: the job has 2 ranks by its traces, and traces are given of 1: rank 1 is missing',
      mended: 'Host and device traces of ranks 0 and 1 are given.',
    },
    advice: 'give the traces of all ranks; with some of them missing, collectives have no partners',
  },
  LINK_STREAM_WAIT_INFERRED: {
    severity: 'note',
    title: 'wait between streams taken from collectives',
    meaning:
      'The device trace has calls by which a stream waits for an event, and no cuda_sync events that say for which. Where the call stands before the launch of a collective, or where a collective is waited for, the two streams follow from that.',
    consequence:
      'Collectives start after the kernels that make their input, and what needs their result starts after them. It is what frameworks do, not what the trace says.',
    remedy: ['Record with `torch.profiler` where cuda_sync events are on to have the waits themselves.'],
    example: {
      finding:
        'note LINK_STREAM_WAIT_INFERRED: rank 0: 2 waits of a stream for an event without a cuda_sync event: taken from where collectives are launched and waited for',
      mended: 'The device trace has a cuda_sync event for each cudaStreamWaitEvent.',
    },
    advice: 'record with cuda_sync events to have the waits themselves',
  },
  LINK_STREAM_WAIT_LOST: {
    severity: 'warning',
    title: 'wait between streams that is not kept',
    meaning: 'A call makes a stream wait for an event. The trace does not say for which, and nothing else does.',
    consequence: 'Work on the two streams may overlap in a simulation where it did not in the run.',
    remedy: ['Record with `torch.profiler` where cuda_sync events are on.'],
    example: {
      finding:
        'warning LINK_STREAM_WAIT_LOST: rank 0: 1 wait of a stream for an event is not kept: the trace has no cuda_sync event for it, and nothing else tells what is waited for',
      mended: 'The device trace has a cuda_sync event for the cudaStreamWaitEvent.',
    },
    advice: 'record with cuda_sync events',
  },
  LINK_WAIT_GUESSED: {
    severity: 'note',
    title: 'what the host waits for is guessed',
    meaning:
      'A call such as cudaStreamSynchronize holds up the host, and the trace has no cuda_sync event that says for which stream or event. Taken is what was launched before and ended last before the call returned.',
    consequence:
      'The next op of the thread waits for that in a simulation. It did end before that op began, whether it was waited for or not.',
    remedy: ['Record with `torch.profiler` where cuda_sync events are on.'],
    example: {
      finding:
        'note LINK_WAIT_GUESSED: rank 0: of 1 call by which the host waits for the device, 1 does not say for which stream or event: taken is what ended last before the call returned',
      mended: 'The device trace has a cuda_sync event for each of these calls.',
    },
    advice: 'record with cuda_sync events to have the waits themselves',
  },
  LINK_WITHOUT_DEVICE: {
    severity: 'warning',
    title: 'host trace without device trace',
    meaning:
      'A rank has only a host trace. Its nodes are written without times, and there are no kernels and no copies.',
    consequence: 'A simulation of the rank takes no time but that of communication that the host trace records.',
    remedy: ['Give the Kineto trace of the rank with `--device`.'],
    example: {
      finding:
        'warning LINK_WITHOUT_DEVICE: in/host_0.json has no device trace: its 3 nodes are written without times, kernels and copies',
      mended: '`device_0.json` is given as well.',
    },
    advice: 'give its Kineto trace with --device',
  },
} satisfies Record<string, CatalogueEntry>;
