import { Files, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MOST_FILES } from '@/components/upload/dropped-files'
import { FileDrop } from '@/components/upload/file-drop'
import { RefusedFiles, UploadList } from '@/components/upload/upload-list'
import { isActive } from '@/components/upload/uploads'
import { Button } from '@/components/ui/button'
import { useCampaignForm, useFormBase } from '@/features/campaigns/form/campaign-form-context'
import { AUDIO_TYPES, VIDEO_TYPES } from '@/features/campaigns/form/creatives/media-check'
import { BANNER_TYPES } from '@/features/campaigns/form/tabs/banner/banner-check'
import { useKeptFocus } from '@/lib/use-kept-focus'
import { readFiles, type Dropped } from './candidates.ts'
import { SortDialog } from './sort-dialog.tsx'
import { SLOT, useSortedSend } from './use-sorted-send.ts'

type Read = { readonly files: readonly Dropped[]; readonly beyond: boolean }

/** Takes files of all kinds at once, shows where each of them goes, and adds them in one act. */
export default function DropAll() {
  const { t } = useTranslation('creatives')
  const { getValues } = useCampaignForm()
  const { tabs } = useFormBase()
  const { uploads, rows, added, send, undo, dismiss } = useSortedSend()
  const keptFocus = useKeptFocus<HTMLElement>()
  const [reading, setReading] = useState(0)
  const [read, setRead] = useState<Read | null>(null)
  const take = (files: readonly File[]) => {
    setReading(Math.min(files.length, MOST_FILES))
    void readFiles(files, getValues(), tabs.audio)
      .then((found) => setRead({ files: found, beyond: files.length > MOST_FILES }))
      .finally(() => setReading(0))
  }
  const running = rows.some(isActive)
  const accept = tabs.audio ? AUDIO_TYPES : [...BANNER_TYPES, ...VIDEO_TYPES]
  return (
    <section {...keptFocus} tabIndex={-1} aria-label={t('sort.title')} className="flex flex-col gap-2">
      <UploadList uploads={uploads} slot={SLOT} rows={rows} />
      <div className="flex flex-wrap items-center gap-2 empty:hidden">
        <output className="text-[0.8125rem]/4.5 grow empty:hidden">
          {added > 0 && !running && t('sort.added', { count: added })}
        </output>
        {(added > 0 || running) && (
          <Button variant="outline" size="sm" onClick={undo}>
            <Undo2 aria-hidden />
            {t('sort.undo')}
          </Button>
        )}
        {added > 0 && !running && (
          <Button variant="ghost" size="sm" onClick={dismiss}>
            {t('sort.keep')}
          </Button>
        )}
      </div>
      <FileDrop
        multiple
        compact
        accept={accept.join(',')}
        label={t('sort.choose')}
        busy={
          reading === 0 ? null : (
            <output className="text-muted-foreground text-[0.8125rem]/4.5">{t('sort.reading', { count: reading })}</output>
          )
        }
        onFiles={take}
      >
        <Files aria-hidden className="text-muted-foreground size-5 stroke-[1.5]" />
        <span className="font-medium">{t('sort.drop')}</span>
        <span className="text-muted-foreground text-xs">{t(tabs.audio ? 'sort.leadTracks' : 'sort.lead')}</span>
      </FileDrop>
      <div role="alert">
        <RefusedFiles rows={rows} />
      </div>
      {read !== null && (
        <SortDialog
          files={read.files}
          beyond={read.beyond}
          onClose={() => setRead(null)}
          onAdd={(files) => {
            setRead(null)
            send(files)
          }}
        />
      )}
    </section>
  )
}
