import { useEffect, useMemo, type ComponentProps } from 'react'
import { useForm, type DefaultValues, type FieldValues, type Path, type Resolver, type UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { AppError, type ServerFault } from '@/data/app-error'
import { faultText } from '@/i18n/error-text'
import { FormGuard } from './form-guard.tsx'
import { FormKitContext, kitFormOf } from './form-kit.ts'

/** The text of the fault of each field that has one. */
export type FormFaults<Values> = { readonly [Name in keyof Values]?: string | null | undefined }

const noFaults = () => ({})

/**
 * The state of a form that fits on one page. The fault of a field is shown once it was left or the form was sent (platform.md
 * §5), and is gone as soon as the field is right.
 */
export function useShortForm<Values extends FieldValues>(
  initial: Values,
  check: (values: Values) => FormFaults<Values> = noFaults,
): UseFormReturn<Values> {
  const resolver: Resolver<Values> = (values) => {
    const found = Object.entries(check(values)).filter(([, message]) => typeof message === 'string')
    if (found.length === 0) return { values, errors: {} }
    return {
      values: {},
      errors: Object.fromEntries(found.map(([name, message]) => [name, { type: 'rule', message }])),
    } as Awaited<ReturnType<Resolver<Values>>>
  }
  const form = useForm<Values>({ defaultValues: initial as DefaultValues<Values>, mode: 'onTouched', resolver })
  const { i18n } = useTranslation()
  const { getFieldState, getValues, trigger } = form
  // Another language says the faults that are shown in its own words.
  useEffect(() => {
    const recheck = () => {
      const names = Object.keys(getValues()) as Path<Values>[]
      const shown = names.filter((name) => getFieldState(name).error?.type === 'rule')
      if (shown.length > 0) void trigger(shown)
    }
    i18n.on('languageChanged', recheck)
    return () => i18n.off('languageChanged', recheck)
  }, [i18n, getFieldState, getValues, trigger])
  return form
}

/** Makes `sent` the saved state: what was typed since is the only change left. */
export const markSaved = <Values extends FieldValues>(form: UseFormReturn<Values>, sent: Values = form.getValues()): void =>
  form.reset(sent, { keepValues: true })

type Naming = {
  /** The field of a path on the wire; null where the form has none. The path of a fault may begin with `body.`. */
  readonly fieldOf?: (path: string) => string | null
  readonly textOf?: (fault: ServerFault, field: string) => string
}

/** Shows a refusal of the server at its fields, the first of which gets the focus. Returns false when it is about none of them. */
export function showFaults<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  error: unknown,
  { fieldOf = (path) => path, textOf = faultText }: Naming = {},
): boolean {
  const faults = error instanceof AppError ? error.faults : []
  const found = faults.flatMap((fault) => {
    // Too many requests, for example: of no field.
    if (fault.path === '') return []
    const field = fieldOf(fault.path.replace(/^body\./, ''))
    return field === null ? [] : [{ field: field as Path<Values>, message: textOf(fault, field) }]
  })
  found.forEach(({ field, message }, i) => form.setError(field, { type: 'server', message }, { shouldFocus: i === 0 }))
  return found.length > 0
}

/** The field that is named, of those that a form has: an entry of a list has the path `emails[0]`. */
export const namedField =
  (names: readonly string[]) =>
  (path: string): string | null =>
    names.find((name) => path === name || path.startsWith(`${name}[`)) ?? null

type ShortFormProps<Values extends FieldValues> = Omit<ComponentProps<'form'>, 'onSubmit'> & {
  readonly form: UseFormReturn<Values>
  /** Gets values that have no fault. */
  readonly onSubmit: (values: Values) => void
  /** Currency of its amounts, ISO 4217. */
  readonly currency?: string | null
  readonly readOnly?: boolean
  /** False where nothing is lost that a user would miss, such as a password. */
  readonly guarded?: boolean
}

/** A form element around fields of the form kit, with the guard of what was typed. */
export function ShortForm<Values extends FieldValues>(props: ShortFormProps<Values>) {
  const { form, onSubmit, currency = null, readOnly = false, guarded = true, children, ...element } = props
  const kit = useMemo(() => ({ form: kitFormOf(form), readOnly, currency, errorText: textOfFault }), [form, readOnly, currency])
  const submit = form.handleSubmit(onSubmit)
  return (
    <FormKitContext value={kit}>
      {guarded && <FormGuard form={form} />}
      <form noValidate {...element} onSubmit={(event) => void submit(event)}>
        {children}
      </form>
    </FormKitContext>
  )
}

const textOfFault = (_: string, text: string) => text
