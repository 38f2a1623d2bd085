/** Forms that `link` writes: Chakra traces, or the linked JSON of chakra_trace_link. */
export const LINK_FORMS = ['et', 'et.gz', 'jsonl', 'linked-json', 'linked-json.gz'] as const;

export type LinkForm = (typeof LINK_FORMS)[number];
