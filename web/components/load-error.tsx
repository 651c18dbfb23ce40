import { CloudAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { AppError } from '@/data/app-error'
import { Button } from './ui/button.tsx'
import { EmptyState } from './ui/empty-state.tsx'
import { errorText } from '@/i18n/error-text'

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
  const why = text ?? errorText(error) + code
  return (
    <div role="alert">
      <EmptyState
        image={<CloudAlert aria-hidden className="text-destructive size-12 stroke-[1.25]" />}
        {...heading}
        // A failure without a reason of its own has nothing to add to the title.
        {...(why === heading.title ? {} : { text: why })}
      >
        <Button variant="outline" onClick={onRetry}>
          {action ?? t('retry')}
        </Button>
      </EmptyState>
    </div>
  )
}
