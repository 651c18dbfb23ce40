import { CancelledError } from '@tanstack/react-query'
import { t } from 'i18next'
import { toast } from '@/lib/toast'
import { copySupportCode } from './copy-support-code.ts'
import { reasonText, supportText } from './error-text.ts'
import { supportCodeOf } from '@/data/app-error'

/** Long enough to write the code down, milliseconds. */
const WITH_CODE_MS = 20_000

/** Shows why something failed; an unexpected error with its code for support, to copy. */
export function errorToast(error: unknown): void {
  // A read that the page called off, because what it asked for has changed.
  if (error instanceof CancelledError) return
  const code = supportCodeOf(error)
  if (code === null) return toast.error(reasonText(error))
  toast.error(reasonText(error), {
    description: supportText(code),
    duration: WITH_CODE_MS,
    action: {
      label: t('support.copy'),
      // Without this the message would go away with the click.
      onClick: (event) => {
        event.preventDefault()
        void copySupportCode(code)
      },
    },
  })
}
