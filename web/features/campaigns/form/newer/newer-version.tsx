import { RefreshCw } from 'lucide-react'
import { useEffect } from 'react'
import { useFormState } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { Campaign } from '#contract/campaign-body'
import { Button } from '@/components/ui/button'
import { useCampaignForm } from '../campaign-form-context.ts'
import { useSavers } from './use-savers.ts'

/**
 * Takes the waiting newer version once there are no typed changes. A separate component, so that the first keystroke re-renders
 * this and not the form.
 */
export function NewerVersion({ onTake }: { readonly onTake: () => void }) {
  const isDirty = useIsDirty()
  useEffect(() => {
    if (!isDirty) onTake()
  }, [isDirty, onTake])
  return null
}

type NewerNoticeProps = {
  /** Base of the typed values. */
  readonly base: Campaign
  readonly onCompare: () => void
}

/** Author and time of a newer version, while changes are typed: before the user's own save would find out. */
export function NewerNotice(props: NewerNoticeProps) {
  return useIsDirty() ? <Notice {...props} /> : null
}

function Notice({ base, onCompare }: NewerNoticeProps) {
  const { t } = useTranslation('form')
  const said = useSavers(base)
  return (
    <output className="flex basis-full flex-wrap items-center gap-x-2 gap-y-1 text-[0.8125rem]/4.5">
      <RefreshCw aria-hidden className="size-4 shrink-0" />
      <span className="font-medium">{said ?? t('newer.title')}</span>
      <span className="text-muted-foreground grow">{t('newer.text')}</span>
      <Button variant="outline" size="sm" onClick={onCompare}>
        {t('newer.compare')}
      </Button>
    </output>
  )
}

function useIsDirty(): boolean {
  const { control } = useCampaignForm()
  return useFormState({ control }).isDirty
}
