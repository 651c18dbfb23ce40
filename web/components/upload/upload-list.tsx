import { useTranslation } from 'react-i18next'
import { Button } from '../ui/button.tsx'
import { UploadLine } from './upload-line.tsx'
import { isActive, type UploadRow, type Uploads } from './uploads.ts'
import '@/i18n/texts/controls'

type UploadListProps<Stored> = {
  readonly uploads: Uploads<Stored>
  readonly slot: string
  readonly rows: readonly UploadRow[]
}

/** The files of a slot with their progress. */
export function UploadList<Stored>({ uploads, slot, rows }: UploadListProps<Stored>) {
  const { t } = useTranslation('controls')
  return (
    <>
      {rows.length > 0 && (
        <ul aria-label={t('upload.list')} className="border-border divide-border rounded-lg flex flex-col divide-y border">
          {rows.map((row) => (
            <li key={row.id} className="px-3 py-2">
              <UploadLine row={row} onRemove={() => uploads.remove(slot, row.id)} onRetry={() => uploads.retry(slot, row.id)} />
            </li>
          ))}
        </ul>
      )}
      {rows.length > 1 && !rows.some(isActive) && (
        <Button variant="ghost" size="sm" className="self-end" onClick={() => uploads.clear(slot)}>
          {t('upload.clear')}
        </Button>
      )}
    </>
  )
}

/** Refused files, for screen readers. */
export function RefusedFiles({ rows }: { readonly rows: readonly UploadRow[] }) {
  return rows
    .filter(({ state }) => state === 'refused')
    .map(({ id, name, reason }) => <p key={id} className="sr-only">{`${name}: ${reason}`}</p>)
}
