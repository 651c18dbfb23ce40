import { createContext, useContext, type ReactNode } from 'react'
import { get, useFormState, useWatch, type FieldValues, type UseFormReturn } from 'react-hook-form'

export type FormKit = {
  readonly form: UseFormReturn<FieldValues>
  readonly readOnly: boolean
  /** ISO 4217 code of the amounts; null while unknown. */
  readonly currency: string | null
  /** Returns the text of an error by its type and message. */
  readonly errorText: (type: string, message: string) => string
  /** Note after the label of a field; none when null. */
  readonly markOf?: (name: string) => ReactNode
}

/**
 * The form of the fields inside it. Not the provider of react-hook-form: its value changes with the form's state, so one
 * keystroke would re-render every field.
 */
export const FormKitContext = createContext<FormKit | null>(null)

export function useFormKit(): FormKit {
  const kit = useContext(FormKitContext)
  if (kit === null) throw new Error('A field of the form kit needs a FormKitContext around it.')
  return kit
}

/** A typed form as the kit takes it: its fields name their paths as strings. */
export const kitFormOf = <Values extends FieldValues>(form: UseFormReturn<Values>): UseFormReturn<FieldValues> =>
  form as unknown as UseFormReturn<FieldValues>

/** Returns the value of one field and re-renders the caller when that field changes. */
export function useKitValue(name: string): unknown {
  const { form } = useFormKit()
  return useWatch({ control: form.control, name })
}

/** Returns the error text of a field, or undefined when the field is valid. */
export function useKitError(name: string): string | undefined {
  const { form, errorText } = useFormKit()
  const { errors } = useFormState({ control: form.control, name })
  const found: unknown = get(errors, name)
  if (typeof found !== 'object' || found === null) return undefined
  const error = 'root' in found && typeof found.root === 'object' && found.root !== null ? found.root : found
  if (!('message' in error) || typeof error.message !== 'string') return undefined
  return errorText('type' in error ? String(error.type) : '', error.message)
}

/** The hint of a field: its own, and the mark that the form gives it. Undefined without both. */
export function useFieldHint(name: string, hint: ReactNode): ReactNode {
  const mark = useFormKit().markOf?.(name) ?? null
  if (mark === null) return hint
  return hint === undefined ? mark : [hint, ' · ', mark]
}
