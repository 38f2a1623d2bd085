/** Schemas that Chakra traces were written with (chakra-format section 3). `0.0.4` stands for 1.0.0 too. */
export type SchemaVersion = '0.0.1' | '0.0.2' | '0.0.3' | '0.0.3+' | '0.0.4';
