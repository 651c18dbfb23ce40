import { createContext, useContext } from 'react'
import { get, useFormState, useWatch, type FieldPath, type UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { Campaign } from '../../../../api/contract/campaign-body.ts'
import { createUploads, type Uploads } from './creatives/uploads.ts'
import type { TabContext } from './form-tabs.ts'
import { lookUp } from '@/i18n/look-up'
import { isErrorKey, type CampaignField, type CampaignFormValues } from './form-schema.ts'

export type FormBase = {
  /** Null while the campaign is new. */
  readonly campaign: Campaign | null
  readonly type: string | null
  readonly readOnly: boolean
  /** Of the account that pays; null while it is not known. */
  readonly currency: string | null
  /** Seconds east of UTC where the campaign runs; null before it has a country. */
  readonly zone: number | null
  readonly tabs: TabContext
  readonly uploads: Uploads
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

/**
 * The form. In a context of its own rather than the library's, whose value changes with the state of the form: the first letter typed
 * would draw every field anew.
 */
export const CampaignFormContext = createContext<UseFormReturn<CampaignFormValues> | null>(null)
export function useCampaignForm(): UseFormReturn<CampaignFormValues> {
  const form = useContext(CampaignFormContext)
  if (form === null) throw new Error('this belongs into a campaign form')
  return form
}

/** One value of the form; whoever asks is drawn anew when it changes, and nobody else. */
export function useFormValue<Name extends FieldPath<CampaignFormValues>>(name: Name) {
  const { control } = useCampaignForm()
  return useWatch({ control, name })
}

/** The text of one error: ours are keys, the server's are sentences already. */
export function useErrorText() {
  const { t } = useTranslation('form')
  return (type: string, message: string) => {
    if (type === 'server') return message
    if (isErrorKey(message)) return t(`errors.${message}`)
    // Of the slices: a key of any namespace, with its parameters behind a question mark.
    const [key = '', parameters] = message.split('?')
    return lookUp(key, Object.fromEntries(new URLSearchParams(parameters))) ?? message
  }
}

/** What is wrong with a field, in words; undefined when nothing is. */
export function useFieldError(name: CampaignField): string | undefined {
  const { control } = useCampaignForm()
  const { errors } = useFormState({ control, name })
  const errorText = useErrorText()
  const found: unknown = get(errors, name)
  if (typeof found !== 'object' || found === null) return undefined
  const error = 'root' in found && typeof found.root === 'object' && found.root !== null ? found.root : found
  if (!('message' in error) || typeof error.message !== 'string') return undefined
  return errorText('type' in error ? String(error.type) : '', error.message)
}
