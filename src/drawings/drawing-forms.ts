import { Dot } from './dot.js';
import { DRAWING_FORMS, type DrawingForm, type DrawingSink } from './drawing-sink.js';
import { GraphMl } from './graphml.js';
import { Svg } from './svg/svg.js';

interface FormRow {
  /** Ends of file names, the usual one first. */
  readonly extensions: readonly string[];
  /** Nodes drawn where no limit is given; all when left out. */
  readonly usualLimit?: number;
  readonly open: (write: (chunk: Uint8Array) => void) => DrawingSink;
}

/** How each form is written. What a person looks at has a limit; layout engines take minutes for more. */
const FORMS: Readonly<Record<DrawingForm, FormRow>> = {
  dot: { extensions: ['dot', 'gv'], usualLimit: 2000, open: (write) => new Dot(write) },
  graphml: { extensions: ['graphml'], open: (write) => new GraphMl(write) },
  svg: { extensions: ['svg'], usualLimit: 300, open: (write) => new Svg(write) },
};

/** Begins a picture; chunks are valid during the call that gets them. */
export function openDrawing(form: DrawingForm, write: (chunk: Uint8Array) => void): DrawingSink {
  return FORMS[form].open(write);
}

/** Nodes drawn where no limit is given; `undefined` for all. */
export function usualLimit(form: DrawingForm): number | undefined {
  return FORMS[form].usualLimit;
}

/** End of the file names of a form. */
export function extensionOf(form: DrawingForm): string {
  return FORMS[form].extensions[0];
}

/** The form that a file name asks for. */
export function formOfName(name: string): DrawingForm | undefined {
  const extension = /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase();
  return DRAWING_FORMS.find((form) => extension !== undefined && FORMS[form].extensions.includes(extension));
}
