import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BANNER_SIZES } from '#domain/campaign/content/options'
import { DialogPanel, DialogPanelBody, DialogPanelFooter } from '@/components/dialog-panel'
import { FieldInput, FieldSelect, LabelledField } from '@/components/form/labelled-field'
import { LoadError } from '@/components/load-error'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Skeleton } from '@/components/ui/skeleton'
import { libraryQuery, type LibraryFile } from '@/data/library-queries'
import { useCampaignForm, useFormBase } from '@/features/campaigns/form/campaign-form-context'
import { PLACE, type PlaceKey } from '@/features/campaigns/form/creatives/places'
import { useDebounced } from '@/lib/use-debounced'
import { LibraryGrid } from './library-grid.tsx'

type LibraryDialogProps = {
  readonly place: PlaceKey
  readonly onPick: (files: readonly LibraryFile[]) => void
  readonly onClose: () => void
}

const TYPING_MS = 250

/** Files that the account has used and that fit a place, to use again. */
export default function LibraryDialog({ place, onPick, onClose }: LibraryDialogProps) {
  const { t } = useTranslation(['creatives', 'common'])
  const { getValues } = useCampaignForm()
  const { campaign } = useFormBase()
  const [name, setName] = useState('')
  const [sizeKey, setSizeKey] = useState(0)
  const [picked, setPicked] = useState<ReadonlyMap<string, LibraryFile>>(new Map())
  const { role, size: exact, room, files: filesOf } = PLACE[place]
  const size = exact ?? BANNER_SIZES.find(({ key }) => key === sizeKey) ?? null
  const query = useInfiniteQuery(
    libraryQuery({
      role,
      name: useDebounced(name.trim(), TYPING_MS),
      ...(size === null ? {} : { width: size.width, height: size.height }),
      ...(campaign === null ? {} : { space_id: campaign.space_id }),
    }),
  )
  const most = room(getValues())
  const files = query.data?.pages.flatMap((page) => page.files) ?? []
  const toggle = (file: LibraryFile) =>
    setPicked((before) => {
      const others = [...before].filter(([id]) => id !== file.file_id)
      if (others.length < before.size) return new Map(others)
      // The latest choices stay where only so many fit.
      const kept = [...others, [file.file_id, file] as const]
      return new Map(Number.isFinite(most) ? kept.slice(-most) : kept)
    })
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogPanel title={t('library.title')} description={t('library.text')} className="w-[760px]">
        <DialogPanelBody>
          <div className="grid grid-cols-2 gap-3">
            <LabelledField label={t('library.search')}>
              <FieldInput type="search" autoComplete="off" value={name} onChange={({ target }) => setName(target.value)} />
            </LabelledField>
            {place === 'banner' && (
              <LabelledField label={t('library.size')}>
                <FieldSelect value={sizeKey} onChange={({ target }) => setSizeKey(Number(target.value))}>
                  <option value={0}>{t('library.everySize')}</option>
                  {BANNER_SIZES.map(({ key, width, height }) => (
                    <option key={key} value={key}>{`${width}x${height}`}</option>
                  ))}
                </FieldSelect>
              </LabelledField>
            )}
          </div>
          {query.isPending && <Skeleton className="h-40 w-full rounded-lg" />}
          {query.isError && <LoadError title={t('library.failed')} error={query.error} onRetry={() => void query.refetch()} />}
          {query.isSuccess && files.length === 0 && <p className="text-muted-foreground py-8 text-center">{t('library.none')}</p>}
          {files.length > 0 && (
            <LibraryGrid
              files={files}
              multiple={most > 1}
              picked={new Set(picked.keys())}
              there={new Set(filesOf(getValues()))}
              onToggle={toggle}
            />
          )}
          {query.hasNextPage && (
            <Button
              variant="outline"
              size="sm"
              className="self-center"
              disabled={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              {t('library.more')}
            </Button>
          )}
        </DialogPanelBody>
        <DialogPanelFooter className="items-center">
          <output className="text-muted-foreground grow text-[0.8125rem]/4.5">
            {t('library.picked', { count: picked.size })}
          </output>
          <Button variant="outline" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button disabled={picked.size === 0} onClick={() => onPick([...picked.values()])}>
            {picked.size === 0 ? t('library.addNone') : t('library.add', { count: picked.size })}
          </Button>
        </DialogPanelFooter>
      </DialogPanel>
    </Dialog>
  )
}
