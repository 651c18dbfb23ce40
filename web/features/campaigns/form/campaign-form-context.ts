import { createContext, useContext } from 'react'
import { useFormContext, useFormState, get } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { Campaign } from '../../../../api/contract/campaign-body.ts'
import { createUploads, type Uploads } from './creatives/uploads.ts'
import type { TabContext } from './form-tabs.ts'
import { lookUp } from '../../../i18n/look-up.ts'
import { isErrorKey, type CampaignField, type CampaignFormValues } from './form-schema.ts'

export type FormBase = {
  /** Null while the campaign is new. */
  readonly campaign: Campaign | null
  readonly type: string | null
  readonly readOnly: boolean
  readonly tabs: TabContext
  readonly uploads: Uploads
}

export const FormBaseContext = createContext<FormBase>({
  campaign: null,
  type: null,
  readOnly: false,
  tabs: { readsOwnerFields: false, audio: false, goal: true, withLog: false },
  uploads: createUploads(),
})
export const useFormBase = () => useContext(FormBaseContext)
export const useCampaignForm = () => useFormContext<CampaignFormValues>()

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
