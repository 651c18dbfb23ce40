import { createContext, useContext } from 'react'
import { useFormContext, useFormState, get } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { Campaign } from '../../../../api/contract/campaign-body.ts'
import { isErrorKey, type CampaignField, type CampaignFormValues } from './form-schema.ts'

export type FormBase = {
  /** Null while the campaign is new. */
  readonly campaign: Campaign | null
  readonly type: string | null
  readonly readOnly: boolean
}

export const FormBaseContext = createContext<FormBase>({ campaign: null, type: null, readOnly: false })
export const useFormBase = () => useContext(FormBaseContext)
export const useCampaignForm = () => useFormContext<CampaignFormValues>()

/** The text of one error: ours are keys, the server's are sentences already. */
export function useErrorText() {
  const { t } = useTranslation('form')
  return (type: string, message: string) => (type !== 'server' && isErrorKey(message) ? t(`errors.${message}`) : message)
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
