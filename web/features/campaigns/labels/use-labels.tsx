import { Tags } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isDialogOpen } from '@/app/shortcuts/keys'
import { useShortcuts } from '@/app/shortcuts/shortcuts'
import { toast } from '@/lib/toast'
import { useCan } from '@/session/can'
import type { Labelable } from './label-plan.ts'
import { useLabelChanges } from './use-label-changes.ts'
import '@/i18n/texts/labels'

const LabelsDialog = lazy(() => import('./labels-dialog.tsx'))

export const LABELS_KEY = 'l'

type Row = Labelable & { readonly status_key: number }

/** Opens the labels of rows of a list: L, on the focused row or the selected ones, and the menu of a row. */
export function useLabels(rows: readonly Row[], selected: readonly Row[], onDone: (ids: readonly string[]) => void) {
  const { t } = useTranslation('labels')
  const can = useCan()
  const change = useLabelChanges()
  const [opened, setOpened] = useState<readonly string[]>([])
  const mayLabel = (row: Row) => can('campaign.write', row)
  const open = (chosen: readonly Row[]) => {
    if (new Set(chosen.map(({ space_id }) => space_id)).size > 1) toast.error(t('oneAccount'))
    else setOpened(chosen.map(({ id }) => id))
  }
  const focused = () => {
    const id = document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row']
    return rows.filter((row) => row.id === id)
  }
  const target = () => (selected.length > 0 ? selected : focused()).filter(mayLabel)
  useShortcuts([
    {
      id: 'campaigns.labels',
      label: t('key'),
      keys: [LABELS_KEY],
      Icon: Tags,
      when: () => !isDialogOpen() && target().length > 0,
      run: () => open(target()),
    },
  ])
  const shown = rows.filter(({ id }) => opened.includes(id))
  const dialog = shown.length > 0 && (
    <Suspense>
      <LabelsDialog rows={shown} change={change} onClose={() => setOpened([])} onDone={onDone} />
    </Suspense>
  )
  const itemsOf = (row: Row) => (mayLabel(row) ? [{ key: 'labels', label: t('open'), Icon: Tags, run: () => open([row]) }] : [])
  return { open, itemsOf, dialog }
}
