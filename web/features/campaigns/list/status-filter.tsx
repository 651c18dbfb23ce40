import { ChevronDown } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/ui/button'
import { statusName } from '@/data/campaign-status'
import { usePopup } from '@/lib/use-popup'
import type { StatusFilterProps } from './status-filter-items.tsx'

const load = () => import('./status-filter-items.tsx')
const StatusFilterItems = lazy(async () => ({ default: (await load()).StatusFilterItems }))

/** A menu of check boxes: campaigns of any chosen status are listed. */
export function StatusFilter({ chosen, onChoose }: StatusFilterProps) {
  const { t } = useTranslation(['campaigns', 'status'])
  const { shown, trigger, popup } = usePopup('menu', load)
  const [first] = chosen
  const text =
    first === undefined
      ? t('status:label.all')
      : chosen.length === 1
        ? t(`status:label.${statusName(first)}`)
        : t('campaigns:statusCount', { count: chosen.length })
  return (
    <span className="relative inline-flex w-56 max-2xl:w-48">
      <Button
        variant="outline"
        aria-label={`${t('campaigns:statusFilter')}: ${text}`}
        className="w-full justify-between font-normal"
        {...trigger}
      >
        <span className="truncate">{text}</span>
        <ChevronDown aria-hidden className="opacity-60" />
      </Button>
      {shown && (
        <Suspense>
          <StatusFilterItems chosen={chosen} onChoose={onChoose} popup={popup} />
        </Suspense>
      )}
    </span>
  )
}
