import { useMutation } from '@tanstack/react-query'
import { CircleAlert, Download, ShieldCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Campaign } from '#contract/campaign-body'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { formatCount, formatMinute } from '@/i18n/format'
import { now } from '@/lib/clock'
import { saveFile } from '@/lib/save-file'
import { toast } from '@/lib/toast'
import { proofOfRevision, verified } from './timeline-queries.ts'

/** Verifies the log of a campaign, and saves the proof that the log has a revision. */
export function EvidenceCard({ campaign, revision }: { readonly campaign: Campaign; readonly revision: number }) {
  const { t } = useTranslation('timeline')
  const verify = useMutation({ mutationFn: async () => ({ ...(await verified(campaign.id)), at: new Date(now()) }) })
  const proof = useMutation({
    mutationFn: async () => {
      const file = await proofOfRevision(campaign.id, revision)
      if (file === null) return false
      saveFile(file, `${fileName(campaign.name)}-revision-${revision}.tlog-proof`)
      return true
    },
    onSuccess: (saved) => (saved ? toast.success(t('proof.saved')) : toast.error(t('proof.missing'))),
  })
  const { data } = verify
  return (
    <section aria-labelledby="timeline-evidence" className="border-border bg-card min-w-0 rounded-lg border">
      <h2 id="timeline-evidence" className="px-5 pt-4 pb-2 text-[15px]/6 font-semibold">
        {t('proof.title')}
      </h2>
      <div className="flex flex-col items-start gap-3 px-5 pb-5 text-[0.8125rem]/5">
        <p className="text-muted-foreground">{t('proof.text')}</p>
        <output className="w-full empty:hidden">
          {data !== undefined && (
            <Notice tone={data.valid ? 'good' : 'bad'}>
              {data.valid ? <ShieldCheck aria-hidden /> : <CircleAlert aria-hidden />}
              <div className="flex min-w-0 flex-col gap-1">
                <p className="font-medium">
                  {data.valid ? t('proof.valid', { count: data.events }) : t('proof.invalid', { count: data.faults.length })}
                </p>
                {data.faults.map((fault) => (
                  <p key={fault} className="wrap-anywhere">
                    {fault}
                  </p>
                ))}
                <p className="text-xs">
                  {t('proof.head')}
                  <span className="block font-mono wrap-anywhere">{data.head_hash}</span>
                </p>
                <p className="text-xs">{t('proof.at', { date: formatMinute(data.at) })}</p>
              </div>
            </Notice>
          )}
        </output>
        <Button variant="outline" size="sm" disabled={verify.isPending} onClick={() => verify.mutate()}>
          <ShieldCheck aria-hidden />
          {t(verify.isPending ? 'proof.verifying' : 'proof.verify')}
        </Button>
        <p className="text-muted-foreground border-border mt-1 w-full border-t pt-4">{t('proof.inclusion')}</p>
        <Button variant="outline" size="sm" disabled={proof.isPending} onClick={() => proof.mutate()}>
          <Download aria-hidden />
          {t('proof.download', { revision: formatCount(revision) })}
        </Button>
      </div>
    </section>
  )
}

/** A name as part of a file name: letters and digits of any script. */
const fileName = (name: string): string => name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '') || 'campaign'
