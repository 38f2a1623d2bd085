/** The example of exchange-formats 4.4: ring all-reduce, 2 ranks, in place. */
export const RING2 = `<algo name="ring2" proto="Simple" nchannels="1" nchunksperloop="2" ngpus="2" coll="allreduce" inplace="1">
  <gpu id="0" i_chunks="2" o_chunks="0" s_chunks="0">
    <tb id="0" send="1" recv="1" chan="0">
      <step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="i" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
      <step s="1" type="rrc" srcbuf="i" srcoff="1" dstbuf="i" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
      <step s="2" type="s" srcbuf="i" srcoff="1" dstbuf="i" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
      <step s="3" type="r" srcbuf="i" srcoff="0" dstbuf="i" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
  </gpu>
  <gpu id="1" i_chunks="2" o_chunks="0" s_chunks="0">
    <tb id="0" send="0" recv="0" chan="0">
      <step s="0" type="s" srcbuf="i" srcoff="1" dstbuf="i" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
      <step s="1" type="rrc" srcbuf="i" srcoff="0" dstbuf="i" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
      <step s="2" type="s" srcbuf="i" srcoff="0" dstbuf="i" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
      <step s="3" type="r" srcbuf="i" srcoff="1" dstbuf="i" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
  </gpu>
</algo>
`;

/** The same with a line replaced; lines count from 1. */
export function ringWith(line: number, from: string, to: string): string {
  const lines = RING2.split('\n');
  if (!lines[line - 1].includes(from)) throw new Error(`line ${line} does not have ${from}`);
  lines[line - 1] = lines[line - 1].replace(from, to);
  return lines.join('\n');
}

/** The same as the newer spelling writes it: one buffer a step, and defaults left out. */
export const RING2_SHORT = `<algo name="ring2" proto="Simple" nchannels="1" ngpus="2" coll="allreduce" inplace="1">
  <gpu id="0" i_chunks="2" o_chunks="0" s_chunks="0">
    <tb id="0" send="1" recv="1" chan="0">
      <op step="0" type="s" buf="i" off="0" /><op step="1" type="rrc" buf="i" off="1" />
      <op step="2" type="s" buf="i" off="1" /><op step="3" type="r" buf="i" off="0" />
    </tb>
  </gpu>
  <gpu id="1" i_chunks="2" o_chunks="0" s_chunks="0">
    <tb id="0" send="0" recv="0" chan="0">
      <op step="0" type="s" buf="i" off="1" /><op step="1" type="rrc" buf="i" off="0" />
      <op step="2" type="s" buf="i" off="0" /><op step="3" type="r" buf="i" off="1" />
    </tb>
  </gpu>
</algo>
`;
