import { t } from 'i18next'
import { toast } from '@/lib/toast'

/** Copies the code of an unexpected error for a message to support. */
export async function copySupportCode(code: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(code)
    toast.success(t('support.copied'))
  } catch {
    toast.error(t('support.copyFailed'))
  }
}
