import type { BannerWarnings } from '#domain/campaign/content/banner-warnings'

/** An HTML banner as a tool exports it, imitated from its public documentation, and what an upload should find in it. */
export type ToolBanner = BannerWarnings & { readonly tool: string; readonly files: Readonly<Record<string, Buffer | string>> }

const SIZE = '<meta name="ad.size" content="width=300,height=250">'
const page = (head: string, body: string) => `<!DOCTYPE html>\n<html><head>${SIZE}${head}</head><body>${body}</body></html>`
const harmless = { clickLinks: false, externalHosts: [] }

/** Animate's canvas page; `libraries` is where it loads CreateJS from. */
const animate = (libraries: string) =>
  page(
    `<meta name="authoring-tool" content="Adobe_Animate_CC"><script src="${libraries}"></script><script src="sale.js"></script>
    <script>var canvas, stage; function init() { canvas = document.getElementById("canvas"); stage = new createjs.Stage(canvas) }</script>`,
    '<canvas id="canvas" width="300" height="250"></canvas>',
  )
const gwd = (environment: string, head: string, body: string) =>
  page(
    `<meta name="generator" content="Google Web Designer 16.0"><meta name="environment" content="${environment}">${head}`,
    body,
  )

export const ANIMATE_HOSTED: ToolBanner = {
  tool: 'Adobe Animate with hosted libraries',
  files: {
    'index.html': animate('https://code.createjs.com/1.0.0/createjs.min.js'),
    'sale.js':
      '(function(cjs){document.addEventListener("click",function(){window.open("https://shop.example/sale","_blank")})})()',
  },
  clickLinks: true,
  externalHosts: ['code.createjs.com'],
}

export const GWD_STUDIO: ToolBanner = {
  tool: 'Google Web Designer for Display & Video 360',
  files: {
    'index.html': gwd(
      'gwd-dv360',
      '<script src="https://s0.2mdn.net/ads/studio/Enabler.js"></script>',
      `<gwd-doubleclick id="gwd-ad"><gwd-metric-configuration></gwd-metric-configuration><div is="gwd-page">
        <gwd-exit metric="cta" url="https://example.com/landing"></gwd-exit><div id="cta" style="width:300px;height:250px">Buy</div></div></gwd-doubleclick>
        <script>document.getElementById("cta").addEventListener("click", function () { Enabler.exit("cta", "https://example.com/landing") })</script>`,
    ),
    'manifest.json': '{"version":"1"}',
  },
  clickLinks: true,
  externalHosts: ['s0.2mdn.net'],
}

export const TOOL_BANNERS: readonly ToolBanner[] = [
  ANIMATE_HOSTED,
  GWD_STUDIO,
  {
    ...harmless,
    tool: 'Adobe Animate with its libraries in the zip and clickTag',
    files: {
      'index.html': animate('libs/createjs.min.js'),
      'sale.js': 'this.button.addEventListener("click",function(){window.open(clickTag)});p.id="http://www.w3.org/1999/xhtml";',
      'libs/createjs.min.js':
        '/* https://createjs.com */this.createjs=this.createjs||{};var a="http://www.w3.org/2000/svg";console.warn("See https://createjs.com/docs")',
    },
  },
  {
    tool: 'Google Web Designer for Google Ads',
    files: {
      'index.html': gwd(
        'gwd-adwords',
        '<script src="https://tpc.googlesyndication.com/pagead/gadgets/html5/api/exitapi.js"></script>',
        '<gwd-google-ad id="gwd-ad"><div id="a" onclick="ExitApi.exit()">Buy</div></gwd-google-ad>',
      ),
    },
    clickLinks: false,
    externalHosts: ['tpc.googlesyndication.com'],
  },
  {
    tool: 'Google Web Designer, generic, with a web font',
    files: {
      'index.html': gwd(
        'gwd-genericad',
        '<link href="https://fonts.googleapis.com/css?family=Roboto" rel="stylesheet" type="text/css">',
        `<gwd-genericad id="gwd-ad"></gwd-genericad><script type="text/javascript">gwd.auto_Taparea_1Action = function(event) {
          gwd.actions.gwdGenericad.exit('gwd-ad', 'Exit', 'https:\\/\\/example.com\\/x', true, true, 'page1') }</script>`,
      ),
    },
    clickLinks: true,
    externalHosts: ['fonts.googleapis.com'],
  },
  {
    tool: 'Bannerflow, whose settings and player are two files',
    files: {
      'index.html': page(
        '<script>window._bannerflow = {"name":"Sale","targetUrl":"https:\\/\\/shop.example\\/sale","id":"5f1"}</script>',
        '<script src="player.js"></script>',
      ),
      'player.js':
        'var f="https://c.bannerflow.net/fonts/a.woff2";o.addEventListener("click",()=>{window.open(e.settings.targetUrl,"_blank")})',
    },
    clickLinks: true,
    externalHosts: ['c.bannerflow.net'],
  },
  {
    tool: 'Celtra tag',
    files: {
      'index.html': page(
        '',
        `<div class="celtra-ad-v3"><script>(function(img){var params={'clickUrl':'','expandDirection':'undefined'};
          var s=document.createElement('script');s.src='https://ads.celtra.com/1a2b/web.js?externalCreativeId=&'+params;
          img.parentNode.appendChild(s)})(document.currentScript)</script></div>`,
      ),
    },
    clickLinks: false,
    externalHosts: ['ads.celtra.com'],
  },
  {
    tool: 'Adform',
    files: {
      'index.html': page(
        `<script>document.write('<script src="' + (window.API_URL || 'https://s1.adform.net/banners/scripts/rmb/Adform.DHTML.js?bv=' + Math.random()) + '"><\\/script>')</script>`,
        '<a id="c">Buy</a><script>var clickTAG = dhtml.getVar("clickTAG", "https://example.com"); document.getElementById("c").onclick = function () { window.open(clickTAG, "_blank") }</script>',
      ),
    },
    clickLinks: false,
    externalHosts: ['s1.adform.net'],
  },
  {
    ...harmless,
    tool: 'Creatopy with clickTag in its head',
    files: {
      'index.html': page(
        '<script>var clickTag = "https://www.example.com";</script>',
        '<a href="javascript:void(window.open(window.clickTag))"><img src="a.png" srcset="a.png 1x, b.png 2x"></a>',
      ),
    },
  },
  {
    tool: 'GreenSock and Lottie from their networks',
    files: {
      'index.html': page(
        '<script src="//cdnjs.cloudflare.com/ajax/libs/gsap/3.11.1/gsap.min.js"></script><link rel="canonical" href="https://example.com/">',
        '<script type="module">import lottie from "https://unpkg.com/lottie-web@5"; lottie.play()</script><a href="#">Buy</a>',
      ),
    },
    clickLinks: false,
    externalHosts: ['cdnjs.cloudflare.com', 'unpkg.com'],
  },
  {
    tool: 'an editor that saves pages as UTF-16',
    files: {
      'index.html': Buffer.from(`\uFEFF${page('', `<div onclick="window.open('https://shop.example/x')">Buy</div>`)}`, 'utf16le'),
    },
    clickLinks: true,
    externalHosts: [],
  },
  {
    tool: 'an editor that saves pages as UTF-16 without a mark, with the other order of bytes',
    files: { 'index.html': Buffer.from(page('', '<a href="https://shop.example">Buy</a>'), 'utf16le').swap16() },
    clickLinks: true,
    externalHosts: [],
  },
  {
    tool: 'a page in windows-1251 that moves on by location',
    files: {
      'index.html': Buffer.from(
        page(
          '<meta charset="windows-1251">',
          `<p>\u00c0\u00ea</p><div onclick="location.href='https://shop.example/x'">Buy</div>`,
        ),
        'latin1',
      ),
    },
    clickLinks: true,
    externalHosts: [],
  },
  {
    tool: 'Hype, with fonts and pictures of its style sheet elsewhere',
    files: {
      'index.html': page(
        '<link rel=stylesheet href=a.css>',
        '<div style="background: url(&quot;https://cdn.example/b.png&quot;)"></div>',
      ),
      'a.css': '@import "https://use.example/kit.css"; div { background: url( //img.example/a.png ) }',
    },
    clickLinks: false,
    externalHosts: ['cdn.example', 'use.example', 'img.example'],
  },
  {
    tool: 'a bundler, whose address stands in a variable of another file',
    files: {
      'index.html': page('', '<script src="config.js"></script><script src="main.js"></script>'),
      'config.js': 'const landing = "https://shop.example/sale"',
      'main.js': 'document.body.onclick = () => { window.location.assign(landing) }',
    },
    clickLinks: true,
    externalHosts: [],
  },
  {
    tool: 'a map of areas',
    files: {
      'index.html': page(
        '',
        '<img usemap="#m" src="a.png"><map name="m"><area href="https://shop.example/x" coords="0,0,9,9"></map>',
      ),
    },
    clickLinks: true,
    externalHosts: [],
  },
  {
    tool: 'a page that moves on by itself',
    files: { 'index.html': page('<meta http-equiv="refresh" content="0; url=https://shop.example/">', '') },
    clickLinks: true,
    externalHosts: [],
  },
]
