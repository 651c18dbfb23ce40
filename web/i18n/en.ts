import { enForm } from './en-form.ts'
import { enFrame } from './en-frame.ts'

/** Every English text: what the keys are typed and checked by. Pages load the two parts of it. */
export const en = { ...enFrame, ...enForm }
