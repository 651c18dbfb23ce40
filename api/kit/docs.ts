import type { FastifyInstance } from 'fastify'
import type { Area } from './area.ts'
import { openApi } from './openapi.ts'

const PAGE = (
  title: string,
) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><link rel="stylesheet" href="/docs/docs.css"></head><body><main id="docs"></main><script src="/docs/docs.js"></script></body></html>`

const CSS = `:root{color-scheme:light dark;font:14px/1.5 system-ui,sans-serif}body{margin:0}main{max-width:960px;margin:0 auto;padding:32px 24px}
h1{font-size:24px;margin:0 0 4px}h2{font-size:15px;margin:32px 0 8px;text-transform:uppercase;letter-spacing:.06em;opacity:.6}
details{border:1px solid color-mix(in srgb,currentColor 15%,transparent);border-radius:8px;margin:8px 0}summary{padding:10px 14px;cursor:pointer;display:flex;gap:12px;align-items:baseline}
summary b{font:600 12px/1 ui-monospace,monospace;min-width:52px}summary code{font:13px ui-monospace,monospace}summary span{opacity:.65;margin-left:auto;text-align:right}
pre{margin:0;padding:14px;overflow:auto;font:12px/1.5 ui-monospace,monospace;border-top:1px solid color-mix(in srgb,currentColor 10%,transparent);max-height:420px}`

const SCRIPT = `fetch('/openapi.json').then(r=>r.json()).then(doc=>{const root=document.getElementById('docs');const el=(tag,text,parent)=>{const e=document.createElement(tag);if(text!==undefined)e.textContent=text;parent.append(e);return e};
el('h1',doc.info.title+' API '+doc.info.version,root);const a=el('a','openapi.json',root);a.href='/openapi.json';const groups={};const shown=s=>s?.$ref?doc.components.schemas[s.$ref.split('/').at(-1)]:s;
for(const [path,ops] of Object.entries(doc.paths))for(const [method,op] of Object.entries(ops)){(groups[op.tags[0]]??=[]).push([method,path,op])}
for(const [name,ops] of Object.entries(groups)){el('h2',name,root);for(const [method,path,op] of ops){const d=el('details',undefined,root);const s=el('summary',undefined,d);el('b',method.toUpperCase(),s);el('code',path,s);el('span',op.summary,s);
const body=op.requestBody?Object.values(op.requestBody.content)[0].schema:null;el('pre',JSON.stringify({access:op['x-access'],parameters:op.parameters.map(p=>p.$ref?.split('/').at(-1)??p.in+' '+p.name),body:shown(body),answer:shown(op.responses['200'].content?.['application/json']?.schema)},null,2),d)}}})`

/** GET /openapi.json, and /docs as a page, which loads nothing external and runs no inline script. */
export function registerDocs(app: FastifyInstance, areas: readonly Area[], version: string): void {
  const document = openApi(areas, version)
  app.get('/openapi.json', async () => document)
  app.get('/docs', async (_request, reply) => reply.type('text/html; charset=utf-8').send(PAGE('Placard API')))
  app.get('/docs/docs.css', async (_request, reply) => reply.type('text/css').send(CSS))
  app.get('/docs/docs.js', async (_request, reply) => reply.type('text/javascript').send(SCRIPT))
}
