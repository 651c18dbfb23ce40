import { CircleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/ui/button'
import { Alert, AlertDescription, AlertTitle } from '@/components/ui/alert'
import { errorText } from '@/i18n/error-text'

type ListFailureProps = {
  readonly error: Error | null
  readonly retry: () => unknown
  /** Moves the focus, because the retry button disappears once the list has loaded. */
  readonly focus: () => void
}

/** Shown above a list that failed to load. Chosen values stay visible and removable. */
export function ListFailure({ error, retry, focus }: ListFailureProps) {
  const { t } = useTranslation('form')
  if (error === null) return null
  const again = () => {
    focus()
    retry()
  }
  return (
    <Alert variant="destructive" className="col-span-2">
      <CircleAlert aria-hidden />
      <AlertTitle>{t('listFailed')}</AlertTitle>
      <AlertDescription>
        <p>{errorText(error)}</p>
        <Button variant="outline" size="sm" onClick={again}>
          {t('retry', { ns: 'common' })}
        </Button>
      </AlertDescription>
    </Alert>
  )
}
