import { useQuery } from '@tanstack/react-query'
import { ChevronDown, Tags } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useShortcuts } from '@/app/shortcuts/shortcuts'
import { Button } from '@/components/ui/button'
import { usePopup } from '@/lib/use-popup'
import { labelsQuery } from './label-queries.ts'
import '@/i18n/texts/labels'

const load = () => import('./label-filter-items.tsx')
const LabelFilterItems = lazy(async () => ({ default: (await load()).LabelFilterItems }))
const ManageLabelsDialog = lazy(() => import('./manage-labels-dialog.tsx'))

type LabelFilterProps = {
  /** The account of the list. */
  readonly spaceId: string
  /** Ids of labels; empty for every campaign. */
  readonly chosen: readonly string[]
  readonly onChoose: (ids: readonly string[]) => void
}

/** A menu of check boxes: campaigns with any chosen label are listed. It also opens the management of labels. */
export function LabelFilter({ spaceId, chosen, onChoose }: LabelFilterProps) {
  const { t } = useTranslation('labels')
  const { data } = useQuery(labelsQuery(spaceId))
  const { shown, trigger, popup } = usePopup('menu', load)
  const [managing, setManaging] = useState(false)
  const labels = data?.labels ?? []
  const manages = data?.may_write === true
  useShortcuts([
    {
      id: 'campaigns.manage-labels',
      label: t('manage'),
      keys: [],
      Icon: Tags,
      when: () => manages,
      run: () => setManaging(true),
    },
  ])
  // Without labels there is nothing to filter by.
  const isNeeded = labels.length > 0 || chosen.length > 0
  const [first] = chosen
  const text =
    first === undefined
      ? t('all')
      : chosen.length === 1
        ? (labels.find(({ id }) => id === first)?.name ?? t('gone'))
        : t('count', { count: chosen.length })
  return (
    <>
      {isNeeded && (
        <span className="relative inline-flex max-w-48">
          <Button variant="outline" aria-label={`${t('filter')}: ${text}`} className="min-w-0 font-normal" {...trigger}>
            <Tags aria-hidden />
            <span className="truncate">{text}</span>
            <ChevronDown aria-hidden className="opacity-60" />
          </Button>
          {shown && (
            <Suspense>
              <LabelFilterItems
                labels={labels}
                chosen={chosen}
                popup={popup}
                onChoose={onChoose}
                onManage={manages ? () => setManaging(true) : null}
              />
            </Suspense>
          )}
        </span>
      )}
      {managing && (
        <Suspense>
          <ManageLabelsDialog
            spaceId={spaceId}
            onClose={() => setManaging(false)}
            onDeleted={(id) => chosen.includes(id) && onChoose(chosen.filter((one) => one !== id))}
          />
        </Suspense>
      )}
    </>
  )
}
