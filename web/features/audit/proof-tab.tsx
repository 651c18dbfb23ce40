import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, PenLine } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { signCheckpoint } from '#contract/audit'
import { LoadError } from '@/components/load-error'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { call } from '@/data/client'
import { formatCount, formatMinute } from '@/i18n/format'
import { saveFile } from '@/lib/save-file'
import { toast } from '@/lib/toast'
import { proofQueries } from './proof-queries.ts'
import { VerifyFile } from './verify-file.tsx'

const ExportDialog = lazy(async () => ({ default: (await import('./export-dialog.tsx')).ExportDialog }))

/** The evidence of the log: its newest head, keys and witnesses, exports, and the check of an export in this browser. */
export function ProofTab() {
  const { t } = useTranslation('audit')
  const [exporting, setExporting] = useState(false)
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      <HeadCard />
      <div className="flex flex-col gap-4">
        <Card title={t('proof.export.title')}>
          <p className="text-muted-foreground">{t('proof.export.text')}</p>
          <Button variant="outline" size="sm" className="self-start" onClick={() => setExporting(true)}>
            <Download aria-hidden />
            {t('proof.export.open')}
          </Button>
        </Card>
        <Card title={t('proof.verify.title')}>
          <VerifyFile />
        </Card>
      </div>
      {exporting && (
        <Suspense>
          <ExportDialog onClose={() => setExporting(false)} />
        </Suspense>
      )}
    </div>
  )
}

function HeadCard() {
  const { t } = useTranslation('audit')
  const queryClient = useQueryClient()
  const head = useQuery(proofQueries.head())
  const keys = useQuery(proofQueries.keys())
  const sign = useMutation({
    mutationFn: () => call(signCheckpoint),
    onSuccess: ({ size }) => {
      toast.success(t('proof.head.signed', { size: formatCount(size) }))
      return queryClient.invalidateQueries({ queryKey: proofQueries.all() })
    },
  })
  const { data } = head
  return (
    <Card title={t('proof.head.title')}>
      <p className="text-muted-foreground">{t('proof.head.text')}</p>
      {data === undefined && head.error === null && <Skeleton className="h-40" />}
      {data === undefined && head.error !== null && (
        <LoadError title={t('proof.head.error')} error={head.error} onRetry={() => void head.refetch()} />
      )}
      {data === null && <output className="font-medium">{t('proof.head.none')}</output>}
      {data !== undefined && data !== null && (
        <dl className="grid grid-cols-[8rem_minmax(0,1fr)] gap-x-4 gap-y-2 max-sm:grid-cols-1">
          <Field name={t('proof.head.size')}>
            <span data-testid="head-size" className="tabular-nums">
              {formatCount(data.size)}
            </span>
          </Field>
          <Field name={t('proof.head.at')}>
            <time dateTime={data.current_at}>{formatMinute(data.current_at)}</time>
          </Field>
          <Field name={t('proof.head.root')}>
            <span className="font-mono text-xs">{data.root_hash}</span>
          </Field>
          <Field name={t('proof.head.witnesses')}>
            {data.witnesses.length === 0 ? (
              <span className="text-muted-foreground">{t('proof.head.noWitnesses')}</span>
            ) : (
              <ul>
                {data.witnesses.map(({ name, cosigned_at }) => (
                  <li key={name}>
                    {name}{' '}
                    <span className={cosigned_at === null ? 'text-warning' : 'text-muted-foreground'}>
                      {cosigned_at === null
                        ? t('proof.head.notCosigned')
                        : t('proof.head.cosigned', { date: formatMinute(cosigned_at) })}
                    </span>
                  </li>
                ))}
              </ul>
            )}
          </Field>
          {keys.data !== undefined && (
            <>
              <Field name={t('proof.head.origin')}>{keys.data.origin}</Field>
              <Field name={t('proof.head.keys')}>
                <ul className="flex flex-col gap-2">
                  {keys.data.keys.map((key) => (
                    <li key={key.verifier_key} className="flex flex-col items-start gap-0.5">
                      <span className="font-mono text-xs">{key.verifier_key}</span>
                      <span className="flex items-center gap-2">
                        <Badge variant={key.signs ? 'default' : 'secondary'}>
                          {t(key.signs ? 'proof.head.signs' : 'proof.head.signed_before')}
                        </Badge>
                        <span className="text-muted-foreground text-xs">
                          {key.signs_until === null
                            ? t('proof.head.since', { from: formatMinute(key.created_at) })
                            : t('proof.head.between', { from: formatMinute(key.created_at), to: formatMinute(key.signs_until) })}
                        </span>
                      </span>
                    </li>
                  ))}
                </ul>
              </Field>
            </>
          )}
        </dl>
      )}
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" size="sm" disabled={sign.isPending} onClick={() => sign.mutate()}>
          <PenLine aria-hidden />
          {t('proof.head.sign')}
        </Button>
        {data !== undefined && data !== null && (
          <Button
            variant="outline"
            size="sm"
            onClick={() => saveFile(new Blob([data.checkpoint], { type: 'text/plain' }), `checkpoint-${data.size}.txt`)}
          >
            <Download aria-hidden />
            {t('proof.head.download')}
          </Button>
        )}
      </div>
    </Card>
  )
}

const Card = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section
    aria-label={title}
    className="border-border bg-card flex min-w-0 flex-col gap-3 rounded-lg border p-5 text-[0.8125rem]/5"
  >
    <h2 className="text-[15px]/6 font-semibold">{title}</h2>
    {children}
  </section>
)

const Field = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt className="text-muted-foreground">{name}</dt>
    <dd className="min-w-0 wrap-anywhere">{children}</dd>
  </>
)
