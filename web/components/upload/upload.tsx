import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FileDrop } from './file-drop.tsx'
import { UploadLine } from './upload-line.tsx'
import { RefusedFiles, UploadList } from './upload-list.tsx'
import { isActive, type Transfer, type UploadRow, type Uploads } from './uploads.ts'
import '@/i18n/texts/controls'

export type UploadProps<Stored> = {
  readonly uploads: Uploads<Stored>
  /** Purpose of the files, unique within `uploads`. */
  readonly slot: string
  /** The slot's files, from `useUploadRows`. The owner renders when they change, and can then keep the focus. */
  readonly rows: readonly UploadRow[]
  readonly label: string
  readonly accept: readonly string[]
  /** Whether the slot takes several files. */
  readonly multiple?: boolean
  /** Number of files that upload at the same time. */
  readonly atOnce?: number
  readonly disabled?: boolean
  readonly send: (file: File, ...rest: Parameters<Transfer<Stored>['send']>) => Promise<Stored | null>
  readonly explain: (error: unknown) => string
  /** Receives the stored files, also those that arrive while another tab is shown. */
  readonly onUploaded?: (file: Stored) => void
  /** Content of the empty area. */
  readonly children: ReactNode
}

/** Returns the slot's files, and re-renders the caller when they change. */
export const useUploadRows = <Stored,>({ subscribe, rowsOf }: Uploads<Stored>, slot: string) =>
  useSyncExternalStore(subscribe, () => rowsOf(slot))

/** An upload area with a list of its files: progress, cancel, and for refused files the reason and retry. */
export function Upload<Stored>(props: UploadProps<Stored>) {
  const { uploads, slot, rows, label, accept, multiple = false, atOnce = 3, disabled = false, send, explain, onUploaded } = props
  const { t } = useTranslation('controls')
  useEffect(() => {
    if (onUploaded !== undefined) uploads.receivedBy(slot, onUploaded)
  }, [uploads, slot, onUploaded])
  const [tooMany, setTooMany] = useState(0)

  const add = (files: readonly File[]) => {
    const refused = !multiple && files.length > 1
    setTooMany(refused ? files.length : 0)
    if (refused) return
    const transfers = files.map((file) => ({ file, explain, send: send.bind(null, file) }))
    uploads.add(slot, transfers, atOnce)
  }
  const line = (row: UploadRow) => (
    <UploadLine row={row} onRemove={() => uploads.remove(slot, row.id)} onRetry={() => uploads.retry(slot, row.id)} />
  )
  // A slot of one file shows the running upload in its area, and its owner shows the uploaded file.
  const only = multiple ? undefined : rows.find(isActive)
  const listed = rows.filter((row) => row !== only && (multiple || row.state === 'refused'))
  return (
    <>
      {/* Above the area: what was refused must be in sight. */}
      <UploadList uploads={uploads} slot={slot} rows={listed} />
      <FileDrop
        multiple={multiple}
        accept={accept.join(',')}
        label={label}
        disabled={disabled}
        busy={only === undefined ? null : line(only)}
        onFiles={add}
      >
        {props.children}
      </FileDrop>
      <div role="alert">
        {tooMany > 0 && <p className="text-destructive text-xs">{t('upload.oneFile', { count: tooMany })}</p>}
        <RefusedFiles rows={rows} />
      </div>
    </>
  )
}
