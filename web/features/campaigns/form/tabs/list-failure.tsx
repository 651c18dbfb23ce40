import { CircleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
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
    <Notice tone="bad" role="alert" className="col-span-2 items-center py-2">
      <CircleAlert aria-hidden />
      <p className="grow">
        {t('listFailed')} <span className="text-muted-foreground">{errorText(error)}</span>
      </p>
      <Button variant="outline" size="sm" onClick={again}>
        {t('retry', { ns: 'common' })}
      </Button>
    </Notice>
  )
}
