import { FileSpreadsheet, X } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TableFault } from '#commands/formats/table/reader'
import { Button } from '@/components/ui/button'
import { FileDrop } from '@/components/upload/file-drop'
import { useFileSize } from '@/components/upload/file-size'
import { useMe } from '@/session/session-queries'
import { FileColumns } from './file-columns.tsx'
import type { ChosenFile } from './file-sample.ts'

/** The column is left to the user when none qualifies, or another one is as likely. */
async function chosenFile(file: File, country: string | null): Promise<ChosenFile> {
  // With the numbering plans of all countries, which are needed once a file is chosen.
  const { readSample } = await import('./file-sample.ts')
  const sample = await readSample(file, country)
  return { file, sample, column: sample.asLikely.length > 0 ? null : sample.column, kind: sample.kind, anyForm: false }
}

/** What to say of a file that is no table. */
const UNREAD = {
  workbook: 'form.unread.workbook',
  oldWorkbook: 'form.unread.workbook',
  pdf: 'form.unread.pdf',
  archive: 'form.unread.archive',
  binary: 'form.unread.other',
  cells: 'form.unread.other',
  record: 'form.unread.other',
  quote: 'form.unread.other',
} as const satisfies Readonly<Record<TableFault, string>>

type FileFieldProps = {
  readonly chosen: ChosenFile | null
  readonly error: string | undefined
  readonly disabled: boolean
  readonly onChoose: (chosen: ChosenFile | null) => void
}

/** The file of an audience: its first rows, and the column with the identifiers to confirm. */
export function FileField({ chosen, error, disabled, onChoose }: FileFieldProps) {
  const { t } = useTranslation('audiences')
  const errorId = useId()
  const sizeOf = useFileSize()
  const { country } = useMe()
  const [refused, setRefused] = useState<'form.emptyFile' | (typeof UNREAD)[TableFault] | null>(null)
  const take = async ([file]: readonly File[]) => {
    if (file === undefined) return
    if (file.size === 0) return setRefused('form.emptyFile')
    setRefused(null)
    const next = await chosenFile(file, country)
    const { fault } = next.sample
    if (fault === null) onChoose(next)
    else setRefused(UNREAD[fault])
  }
  const shown = refused === null ? error : t(refused)
  return (
    <div className="flex flex-col gap-4" aria-describedby={shown === undefined ? undefined : errorId}>
      {chosen === null ? (
        <FileDrop
          accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
          label={t('form.chooseFile')}
          multiple={false}
          disabled={disabled}
          onFiles={(files) => void take(files)}
        >
          <FileSpreadsheet aria-hidden className="text-muted-foreground size-8 stroke-[1.25]" />
          <p className="font-medium">{t('form.drop')}</p>
          <p className="text-muted-foreground max-w-md text-[0.8125rem]/4.5 text-pretty">{t('form.dropHelp')}</p>
        </FileDrop>
      ) : (
        <div className="border-border flex items-center gap-3 rounded-lg border px-4 py-3">
          <FileSpreadsheet aria-hidden className="text-muted-foreground size-5 shrink-0" />
          <p className="flex min-w-0 grow items-baseline gap-2">
            <span className="min-w-0 wrap-anywhere">{chosen.file.name}</span>
            <span className="text-muted-foreground shrink-0 text-xs tabular-nums">{sizeOf(chosen.file.size)}</span>
          </p>
          <Button
            type="button"
            variant="ghost"
            size="icon"
            disabled={disabled}
            aria-label={t('form.removeFile')}
            onClick={() => onChoose(null)}
          >
            <X aria-hidden />
          </Button>
        </div>
      )}
      {shown !== undefined && (
        <p id={errorId} role="alert" className="text-destructive text-xs">
          {shown}
        </p>
      )}
      {chosen !== null && chosen.sample.columns.length > 0 && (
        <FileColumns chosen={chosen} disabled={disabled} onChoose={onChoose} />
      )}
    </div>
  )
}
