import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MOST_FILES } from '@/components/upload/dropped-files'
import { DialogPanel, DialogPanelBody, DialogPanelFooter } from '@/components/dialog-panel'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { useCampaignForm, useFormBase } from '@/features/campaigns/form/campaign-form-context'
import type { PlaceKey } from '@/features/campaigns/form/creatives/places'
import { contentsThere, roomOf, type Dropped } from './candidates.ts'
import { SortRow } from './sort-row.tsx'
import { sortFiles } from './sort-files.ts'

type SortDialogProps = {
  readonly files: readonly Dropped[]
  /** Whether files beyond the bound were left out. */
  readonly beyond: boolean
  readonly onAdd: (files: readonly (readonly [Dropped, PlaceKey])[]) => void
  readonly onClose: () => void
}

const SCROLLABLE = { tabIndex: 0 }

/** Shows where each dropped file goes, before anything is sent. */
export function SortDialog({ files, beyond, onAdd, onClose }: SortDialogProps) {
  const { t } = useTranslation(['creatives', 'common'])
  const { getValues } = useCampaignForm()
  const { uploads } = useFormBase()
  const [choices, setChoices] = useState<ReadonlyMap<number, PlaceKey | null>>(new Map())
  const values = getValues()
  const room = roomOf(values)
  const candidates = files.map(({ candidate }) => candidate)
  const sorted = sortFiles(candidates, room, contentsThere(uploads, values), choices)
  const added = files.flatMap((file) => {
    const place = sorted.get(file.candidate.id)?.place ?? null
    return place === null ? [] : [[file, place] as const]
  })
  /** The latest choice comes last: it wins. */
  const choose = (id: number, place: PlaceKey | null) =>
    setChoices((before) => new Map([...[...before].filter(([other]) => other !== id), [id, place]]))
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogPanel title={t('sort.title')} description={t('sort.text')} className="w-[720px]">
        <DialogPanelBody>
          <output className="text-[0.8125rem]/4.5 font-medium">
            {t('sort.summary', { added: added.length, count: files.length })}
          </output>
          {beyond && <p className="text-warning text-xs">{t('sort.beyond', { most: MOST_FILES })}</p>}
          {/* A scrolling list must be reachable by keyboard, also where no file fits and no row has a choice. */}
          <section aria-label={t('sort.list')} {...SCROLLABLE}>
            <ul className="border-border divide-border flex flex-col divide-y rounded-lg border">
              {files.map((dropped) => (
                <SortRow
                  key={dropped.candidate.id}
                  dropped={dropped}
                  sorted={sorted.get(dropped.candidate.id) ?? { place: null, reason: null }}
                  places={dropped.candidate.fits.filter((key) => room[key] > 0)}
                  onChoose={(place) => choose(dropped.candidate.id, place)}
                />
              ))}
            </ul>
          </section>
        </DialogPanelBody>
        <DialogPanelFooter>
          <Button variant="outline" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button disabled={added.length === 0} onClick={() => onAdd(added)}>
            {t('sort.add', { count: added.length })}
          </Button>
        </DialogPanelFooter>
      </DialogPanel>
    </Dialog>
  )
}
