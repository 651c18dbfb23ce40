import type { TFunction } from 'i18next'
import { createContext, useContext, useMemo, type ReactNode } from 'react'
import { useWatch, type FieldPath, type UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { Campaign } from '#contract/campaign-body'
import type { StoredFile } from '#contract/files'
import type { TabContext } from './form-tabs.ts'
import { createUploads, type Uploads } from '@/components/upload/uploads'
import { kitFormOf, useKitError, type FormKit } from '@/components/form/form-kit'
import { ruleText } from '@/i18n/look-up'
import { isErrorKey, type CampaignField, type CampaignFormValues } from './form-schema.ts'

export type FormBase = {
  /** Null for a new campaign. */
  readonly campaign: Campaign | null
  readonly type: string | null
  readonly readOnly: boolean
  /** Currency of the paying account; null while unknown. */
  readonly currency: string | null
  /** Seconds east of UTC in the campaign's country; null before it has one. */
  readonly zone: number | null
  readonly tabs: TabContext
  readonly uploads: Uploads<StoredFile>
}

export const FormBaseContext = createContext<FormBase>({
  campaign: null,
  type: null,
  readOnly: false,
  currency: null,
  zone: null,
  tabs: { readsOwnerFields: false, audio: false, goal: true, withLog: false },
  uploads: createUploads(),
})
export const useFormBase = () => useContext(FormBaseContext)

/** The typed form. `FormKitContext` carries the same form for the fields of the form kit. */
export const CampaignFormContext = createContext<UseFormReturn<CampaignFormValues> | null>(null)
export function useCampaignForm(): UseFormReturn<CampaignFormValues> {
  const form = useContext(CampaignFormContext)
  if (form === null) throw new Error('This component needs a CampaignFormContext around it.')
  return form
}

/** Returns the value of one field and re-renders the caller when that field changes. */
export function useFormValue<Name extends FieldPath<CampaignFormValues>>(name: Name) {
  const { control } = useCampaignForm()
  return useWatch({ control, name })
}

/** Returns the text of an error by its type and message. The server sends sentences; form rules are translation keys. */
const errorTextOf =
  (t: TFunction<'form'>) =>
  (type: string, message: string): string => {
    if (type === 'server') return message
    if (isErrorKey(message)) return t(`errors.${message}`)
    return ruleText(message)
  }

export function useErrorText() {
  const { t } = useTranslation('form')
  return errorTextOf(t)
}

/** Returns the error text of a field, or undefined when the field is valid. */
export const useFieldError = (name: CampaignField): string | undefined => useKitError(name)

const unmarked = () => null

/** Adapts a campaign form to the form kit. */
export function useCampaignKit(
  form: UseFormReturn<CampaignFormValues>,
  readOnly: boolean,
  currency: string | null,
  markOf: (name: string) => ReactNode = unmarked,
): FormKit {
  const { t } = useTranslation('form')
  return useMemo(
    () => ({
      // Field paths are typed by form-field.tsx.
      form: kitFormOf(form),
      readOnly,
      currency,
      errorText: errorTextOf(t),
      markOf,
    }),
    [form, readOnly, currency, markOf, t],
  )
}
