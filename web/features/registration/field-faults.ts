import { useTranslation } from 'react-i18next'
import { FORM_SENTENCES, type FormFaultKey } from '#domain/registration/form'
import type { ServerFault } from '@/data/app-error'
import { faultText } from '@/i18n/error-text'

const isFormKey = (key: string | undefined): key is FormFaultKey => key !== undefined && Object.hasOwn(FORM_SENTENCES, key)

/** The text of a fault that the server found in a registration. */
export function useFaultText() {
  const { t } = useTranslation('registration')
  return (fault: ServerFault): string => {
    if (fault.code === 160) return t('fault.taken')
    return isFormKey(fault.key) ? t(`fault.${fault.key}`) : faultText(fault)
  }
}
