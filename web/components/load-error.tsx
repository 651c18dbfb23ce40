import { CloudAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { AppError, supportCodeOf } from '@/data/app-error'
import { Button } from './ui/button.tsx'
import { EmptyState } from './ui/empty-state.tsx'
import { reasonText } from '@/i18n/error-text'
import { SupportCode } from './support-code.tsx'

type LoadErrorProps = {
  readonly title: string
  readonly titleAs?: 'h1'
  readonly error: Error
  /** Instead of the text of the error. */
  readonly text?: string
  readonly action?: string
  readonly onRetry: () => void
}

/** Shows what failed, why, the error code, and a retry action. */
export function LoadError({ error, onRetry, text, action, ...heading }: LoadErrorProps) {
  const { t } = useTranslation()
  const code = error instanceof AppError && error.code > 0 ? ` ${t('errorCode', { code: error.code })}` : ''
  const why = text ?? reasonText(error) + code
  const support = text === undefined ? supportCodeOf(error) : null
  return (
    <div role="alert">
      <EmptyState
        image={<CloudAlert aria-hidden className="text-destructive size-12 stroke-[1.25]" />}
        {...heading}
        // A failure without a reason of its own has nothing to add to the title.
        {...(why === heading.title ? {} : { text: why })}
      >
        <div className="flex flex-col items-center gap-3">
          <Button variant="outline" onClick={onRetry}>
            {action ?? t('retry')}
          </Button>
          {support !== null && <SupportCode code={support} />}
        </div>
      </EmptyState>
    </div>
  )
}
