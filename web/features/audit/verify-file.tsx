import { useMutation, useQuery } from '@tanstack/react-query'
import { CircleAlert, FileCheck2, ShieldCheck } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { verifyExport, type VerifiedExport } from '#proof/offline/verify-export'
import { FileDrop } from '@/components/upload/file-drop'
import { Notice } from '@/components/ui/notice'
import { Progress } from '@/components/ui/progress'
import { Textarea } from '@/components/ui/textarea'
import { formatCount, formatMinute } from '@/i18n/format'
import { proofQueries } from './proof-queries.ts'

type Checked = { readonly name: string; readonly found: VerifiedExport }

/** Checks an export in this browser, by public keys alone: nothing is sent, and no connection is needed. */
export function VerifyFile() {
  const { t } = useTranslation('audit')
  const id = useId()
  const listed = useQuery(proofQueries.keys()).data
  const [typed, setTyped] = useState<string | null>(null)
  const [done, setDone] = useState(0)
  const keys = typed ?? listed?.keys.map(({ verifier_key: key }) => key).join('\n') ?? ''
  const check = useMutation({
    // Offline too: a mutation would otherwise wait for a connection.
    networkMode: 'always',
    mutationFn: async (file: File): Promise<Checked> => {
      setDone(0)
      const found = await verifyExport(
        file.stream(),
        keys.split(/\s+/).filter((key) => key !== ''),
        (read) => setDone(Math.round((100 * read) / file.size)),
      )
      return { name: file.name, found }
    },
  })
  return (
    <>
      <p className="text-muted-foreground">{t('proof.verify.text')}</p>
      <div className="flex flex-col gap-1.5">
        <label htmlFor={id} className="font-medium">
          {t('proof.verify.keys')}
        </label>
        <Textarea
          id={id}
          value={keys}
          onChange={({ target }) => setTyped(target.value)}
          rows={2}
          spellCheck={false}
          aria-describedby={`${id}-help`}
          className="font-mono text-xs"
        />
        <p id={`${id}-help`} className="text-muted-foreground text-xs">
          {t('proof.verify.keysHelp')}
        </p>
      </div>
      <FileDrop
        accept=".ndjson,.jsonl,application/x-ndjson"
        label={t('proof.verify.drop')}
        multiple={false}
        disabled={keys.trim() === ''}
        busy={
          check.isPending ? (
            <div className="flex flex-col gap-2">
              <output>{t('proof.verify.checking', { percent: done })}</output>
              <Progress value={done} aria-label={t('proof.verify.progress')} />
            </div>
          ) : null
        }
        onFiles={([file]) => file !== undefined && check.mutate(file)}
      >
        <FileCheck2 aria-hidden className="text-muted-foreground size-6 stroke-[1.5]" />
        <span className="font-medium">{t('proof.verify.drop')}</span>
        <span className="text-muted-foreground text-xs">{t('proof.verify.offline')}</span>
      </FileDrop>
      <output className="empty:hidden">{check.data !== undefined && !check.isPending && <Result {...check.data} />}</output>
    </>
  )
}

function Result({ name, found }: Checked) {
  const { t } = useTranslation('audit')
  const { valid, faults, fault_count: count, completeness } = found
  return (
    <Notice tone={valid ? 'good' : 'bad'}>
      {valid ? <ShieldCheck aria-hidden /> : <CircleAlert aria-hidden />}
      <div className="flex min-w-0 flex-col gap-1 wrap-anywhere">
        <p className="font-medium">{valid ? t('proof.verify.valid', { name }) : t('proof.verify.invalid', { count, name })}</p>
        {faults.length > 0 && (
          <ul className="list-disc pl-4">
            {faults.map((fault) => (
              <li key={fault}>{fault}</li>
            ))}
          </ul>
        )}
        {found.head !== null && (
          <p>
            {t('proof.verify.head', {
              count: found.events,
              events: formatCount(found.events),
              size: formatCount(found.head.size),
            })}
          </p>
        )}
        {found.first_position !== null && found.last_position !== null && (
          <p className="tabular-nums">{t('proof.verify.range', { from: found.first_position, to: found.last_position })}</p>
        )}
        {valid && completeness !== null && <p>{t(`proof.verify.complete.${completeness}`)}</p>}
        {found.signers.length > 0 && (
          <p>{t('proof.verify.signers', { names: found.signers.map((one) => one.name).join(', ') })}</p>
        )}
        {found.created_at !== null && (
          <p className="text-xs">{t('proof.verify.made', { date: formatMinute(found.created_at) })}</p>
        )}
      </div>
    </Notice>
  )
}
