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
  readonly onRetry: () => void
}

/** Shows what failed, why, the error code, and a retry action. */
export function LoadError({ error, onRetry, ...heading }: LoadErrorProps) {
  const { t } = useTranslation()
  const code = error instanceof AppError && error.code > 0 ? ` ${t('errorCode', { code: error.code })}` : ''
  return (
    <div role="alert">
      <EmptyState
        image={<CloudAlert aria-hidden className="text-destructive size-12 stroke-[1.25]" />}
        {...heading}
        text={errorText(error) + code}
      >
        <Button variant="outline" onClick={onRetry}>
          {t('retry')}
        </Button>
      </EmptyState>
    </div>
  )
}
