import { once } from "../../model/lazy.ts";

/** The lexers of Pygments by their names, with their aliases: `Rust=rs`. A name in small letters is an alias, too, and is not repeated. */
const LEXERS = `
ABAP|ABNF|ActionScript=as|ActionScript 3=actionscript3,as3|Ada=ada95,ada2005|ADL|Agda|Aheui|Alloy|AmbientTalk=ambienttalk/2,at|AMDGPU|Ampl
Angular2=ng2|ANSYS parametric design language=ansys,apdl|ANTLR|ANTLR With ActionScript Target=antlr-actionscript,antlr-as
ANTLR With C# Target=antlr-csharp,antlr-c#|ANTLR With CPP Target=antlr-cpp|ANTLR With Java Target=antlr-java|ANTLR With ObjectiveC Target=antlr-objc
ANTLR With Perl Target=antlr-perl|ANTLR With Python Target=antlr-python|ANTLR With Ruby Target=antlr-ruby,antlr-rb|ApacheConf=aconf,apache|APL
AppleScript|Arduino|Arrow|Arturo=art|ASCII armored=asc,pem|ASN.1=asn1|AspectJ|aspx-cs|aspx-vb|Asymptote=asy|Augeas|autohotkey=ahk|AutoIt
Awk=gawk,mawk,nawk|BARE|Base Makefile=basemake|Bash=sh,ksh,zsh,shell,openrc|Bash Session=console,shell-session|Batchfile=batch,bat,dosbatch,winbatch
BBC Basic=bbcbasic|BBCode|BC|Bdd|Befunge|Berry=be|BibTeX=bib|BitBake|BlitzBasic=b3d,bplus|BlitzMax=bmax|Blueprint|BNF|Boa|Boo|Boogie|BQN|Brainfuck=bf
BST=bst-pybtex|BUGS=winbugs,openbugs|C|C#=csharp,cs|C++=cpp|c-objdump|ca65 assembler=ca65|Caddyfile=caddy|cADL|CAmkES=idl4|Cap'n Proto=capnp|CapDL
Carbon|CBM BASIC V2=cbmbas|CDDL|CEL|Ceylon|CFEngine3=cf3|cfstatement=cfs|ChaiScript=chai|Chapel=chpl|Charmci|Cheetah=spitfire|Cirru|Clay|Clean
Clojure=clj|ClojureScript=cljs|CMake|COBOL|COBOLFree|CodeQL=ql|CoffeeScript=coffee-script,coffee|Coldfusion CFC=cfc|Coldfusion HTML=cfm
COMAL-80=comal,comal80|Common Lisp=common-lisp,cl,lisp|Component Pascal=componentpascal,cp|cplint|cpp-objdump=c++-objdumb,cxx-objdump|CPSA|Crmsh=pcmk
Croc|Cryptol=cry|Crystal=cr|Csound Document=csound-document,csound-csd|Csound Orchestra=csound,csound-orc|Csound Score=csound-score,csound-sco|CSS
CSS+Django/Jinja=css+django,css+jinja|CSS+Genshi Text=css+genshitext,css+genshi|CSS+Lasso|CSS+Mako|CSS+mozpreproc|CSS+Myghty|CSS+PHP|CSS+Ruby=css+erb
CSS+Smarty|CSS+UL4|CUDA=cu|Cypher|Cython=pyx,pyrex|D|d-objdump|Darcs Patch=dpatch|Dart|DASM16|Dax|Debian Control file=debcontrol,control
Debian Sourcelist=debsources,sourceslist,sources.list|Debian Sources file=debian.sources|Delphi=pas,pascal,objectpascal|Desktop file=desktop
Devicetree=dts|dg|Diff=udiff|Django/Jinja=django,jinja|Docker=dockerfile|DTD|Duel=jbst,jsonml+bst|Dylan|Dylan session=dylan-console,dylan-repl
DylanLID=dylan-lid,lid|E-mail=email,eml|Earl Grey=earl-grey,earlgrey,eg|Easytrieve|EBNF|eC|ECL|Eiffel|Elixir=ex,exs|Elixir iex session=iex|Elm|Elpi
EmacsLisp=emacs-lisp,elisp,emacs|Embedded Ragel=ragel-em|ERB|Erlang|Erlang erl session=erl|Evoque|execline|Ezhil|F#=fsharp|Factor|Fancy=fy|Fantom=fan
Felix=flx|Fennel=fnl|Fift=fif|Fish=fishshell|Flatline|FloScript=flo|Forth|Fortran=f90|FortranFixed|FoxPro=vfp,clipper,xbase|Freefem|FStar|FunC=fc
Futhark|g-code=gcode|GAP|GAP session=gap-console,gap-repl|GAS=asm|GDScript=gd|Genshi=kid,xml+genshi,xml+kid|Genshi Text=genshitext
Gettext Catalog=pot,po|Gherkin=cucumber|Gleam|GLSL|Gnuplot|Go=golang|Golo|GoodData-CL|GoogleSQL=zetasql|Gosu|Gosu Template=gst|GraphQL|Graphviz=dot
Groff=nroff,man|Groovy|GSQL|Haml|Handlebars|Hare|Haskell=hs|Haxe=hxsl,hx|Hexdump|HLSL|HSAIL=hsa|Hspec|HTML|HTML + Angular2=html+ng2
HTML+Cheetah=html+spitfire,htmlcheetah|HTML+Django/Jinja=html+django,html+jinja,htmldjango|HTML+Evoque|HTML+Genshi=html+kid|HTML+Handlebars|HTML+Lasso
HTML+Mako|HTML+Myghty|HTML+PHP|HTML+Smarty|HTML+Twig|HTML+UL4|HTML+Velocity|HTTP|Hxml=haxeml|Hy=hylang|Hybris|Icon|IDL|Idris=idr|Igor=igorpro
Inform 6=inform6,i6|Inform 6 template=i6t|Inform 7=inform7,i7|INI=cfg,dosini|Io|Ioke=ik|IRC logs=irc|Isabelle|J|JAGS|Janet|Jasmin=jasminxt|Java
Java Server Page=jsp|JavaScript=js|JavaScript+Cheetah=js+cheetah,javascript+spitfire,js+spitfire
JavaScript+Django/Jinja=javascript+django,js+django,javascript+jinja,js+jinja
JavaScript+Genshi Text=js+genshitext,js+genshi,javascript+genshitext,javascript+genshi|JavaScript+Lasso=js+lasso|JavaScript+Mako=js+mako
Javascript+mozpreproc|JavaScript+Myghty=js+myghty|JavaScript+PHP=js+php|JavaScript+Ruby=js+ruby,javascript+erb,js+erb|JavaScript+Smarty=js+smarty
Javascript+UL4=js+ul4|JCL|JMESPath=jp|JSGF|JSLT|JSON=json-object|JSON-LD=jsonld|JSON5|JSONBareObject|Jsonnet|JSX=react|Julia=jl
Julia console=jlcon,julia-repl|Juttle|K|Kal|Kconfig=menuconfig,linux-config,kernel-config|Kernel log=kmsg,dmesg|Koka|Kotlin|Kuin|Kusto=kql
Lasso=lassoscript|LDAP configuration file=ldapconf,ldaprc|LDIF|Lean=lean3|Lean4|LessCss=less|Lighttpd configuration file=lighttpd,lighty|LilyPond
Limbo|liquid|Literate Agda=literate-agda,lagda|Literate Cryptol=literate-cryptol,lcryptol,lcry|Literate Haskell=literate-haskell,lhaskell,lhs
Literate Idris=literate-idris,lidris,lidr|LiveScript=live-script|LLVM|LLVM-MIR|LLVM-MIR Body=llvm-mir-body|Logos|Logtalk|LSL|Lua|Luau|Macaulay2
Makefile=make,mf,bsdmake|Mako|Maple|MAQL|Markdown=md|Mask|Mason|Mathematica=mma,nb,wl,wolfram|Matlab|Matlab session=matlabsession|Maxima=macsyma
MCFunction=mcf|MCSchema|Meson=meson.build|MIME|MiniD|MiniScript=ms|MIPS|Modelica|Modula-2=modula2,m2|MoinMoin/Trac Wiki markup=trac-wiki,moin|Mojo=🔥
Monkey|Monte|MOOCode=moo|MoonScript=moon|Mosel|mozhashpreproc|mozpercentpreproc|MQL=mq4,mq5,mql4,mql5|Mscgen=msc|MSDOS Session=doscon|MuPAD|MXML
Myghty|MySQL|NASM|NCL|Nemerle|nesC|NestedText=nt|NewLisp|Newspeak|Nginx configuration file=nginx|Nimrod=nim|Nit|Nix=nixos
Node.js REPL console session=nodejsrepl|Notmuch|NSIS=nsi,nsh|Numba_IR=numbair|NumPy|NuSMV|objdump|objdump-nasm|Objective-C=objectivec,obj-c,objc
Objective-C++=objectivec++,obj-c++,objc++|Objective-J=objectivej,obj-j,objj|OCaml|Octave|ODIN|OMG Interface Definition Language=omg-idl|Ooc|Opa
OpenEdge ABL=openedge,abl,progress|OpenSCAD|Org Mode=org,orgmode,org-mode|PacmanConf|Pan|ParaSail|Pawn|PDDL|PEG|Perl=pl|Perl6=pl6,raku|Phix
PHP=php3,php4,php5|Pig|Pike|PkgConfig|PL/pgSQL=plpgsql|Pointless|Pony|Portugol|PostgreSQL console (psql)=psql,postgresql-console,postgres-console
PostgreSQL EXPLAIN dialect=postgres-explain|PostgreSQL SQL dialect=postgresql,postgres|PostScript=postscr|POVRay=pov|PowerShell=pwsh,posh,ps1,psm1
PowerShell Session=pwsh-session,ps1con|Praat|Procfile|Prolog|Promela|PromQL|Properties=jproperties|Protocol Buffer=protobuf,proto|PRQL
PsySH console session for PHP=psysh|PTX|Pug=jade|Puppet|PureScript=purs|PyPy Log=pypylog,pypy|Python=py,sage,python3,py3,bazel,starlark,pyi
Python 2.x=python2,py2|Python 2.x Traceback=py2tb|Python console session=pycon,python-console|Python Traceback=pytb,py3tb|Python+UL4=py+ul4|Q
QBasic=basic|Qlik=qlikview,qliksense,qlikscript|QML=qbs|QVTO=qvt|Racket=rkt|Ragel|Ragel in C Host=ragel-c|Ragel in CPP Host=ragel-cpp
Ragel in D Host=ragel-d|Ragel in Java Host=ragel-java|Ragel in Objective C Host=ragel-objc|Ragel in Ruby Host=ragel-ruby,ragel-rb|Raw token data
RConsole=rout|Rd|ReasonML=reason|REBOL|Red=red/system|Redcode|reg=registry|Rego|Relax-NG Compact=rng-compact,rnc|Rell|ResourceBundle=resource
reStructuredText=rst,rest|Rexx=arexx|RHTML=html+erb,html+ruby|Ride|Rita|Roboconf Graph=roboconf-graph|Roboconf Instances=roboconf-instances
RobotFramework|Rocq Prover=coq,rocq,rocq-prover|RPMSpec=spec|RQL|RSL|Ruby=rb,duby|Ruby irb session=rbcon,irb|Rust=rs|S=splus,r|SARL|SAS|Sass|Savi
Scala|Scalate Server Page=ssp|Scaml|scdoc=scd|Scheme=scm|Scilab|SCSS|Sed=gsed,ssed|Shen|ShExC=shex|Sieve|Silver|Singularity|Slash|Slim|Slurm=sbatch
Smali|Smalltalk=squeak,st|SmartGameFormat=sgf|Smarty|Smithy|SNBT|Snobol|Snowball|Solidity|Soong=androidbp,bp|Sophia|SourcePawn=sp|SPARQL
Spice=spicelang|SQL|SQL+Jinja|sqlite3con=sqlite3|SquidConf=squid.conf,squid|Srcinfo|Stan|Standard ML=sml|Stata=do|SuperCollider=sc|Swift|SWIG|Systemd
systemverilog=sv|TableGen=td|Tact|TADS 3=tads3|Tal=uxntal|TAP|TASM|Tcl|Tcsh=csh|Tcsh Session=tcshcon|Tea|teal
Tera Term macro=teratermmacro,teraterm,ttl|Termcap|Terminfo|Terraform=tf,hcl|TeX=latex|Text only=text|Text output=output|ThingsDB=ti|Thrift
tiddler=tid|Tl-b=tlb|TLS Presentation Language=tls|Todotxt|TOML|TrafficScript=rts|Transact-SQL=tsql,t-sql|Treetop|TSX|Turtle|Twig|TypeScript=ts
Typographic Number Theory=tnt|TypoScript|TypoScriptCssData|TypoScriptHtmlData|Typst|ucode|UL4|Unicon|Unix/Linux config files=unixconfig,linuxconfig
UrbiScript|urlencoded|USD=usda|Vala=vapi|VB.net=vbnet,lobas,oobas,sobas,visual-basic,visualbasic|VBScript|VCL|VCLSnippets=vclsnippet|VCTreeStatus
Velocity|Verifpal|verilog=v|VGL|vhdl|VimL=vim|Visual Prolog=visualprolog|Visual Prolog Grammar=visualprologgrammar|Vue|Vyper|WDiff|Web IDL=webidl
WebAssembly=wast,wat|WebGPU Shading Language=wgsl|Whiley|Wikitext=mediawiki|World of Warcraft TOC=wowtoc|Wren|X++=xpp|X10=xten|XML
XML+Cheetah=xml+spitfire|XML+Django/Jinja=xml+django,xml+jinja|XML+Evoque|XML+Lasso|XML+Mako|XML+Myghty|XML+PHP|XML+Ruby=xml+erb|XML+Smarty|XML+UL4
XML+Velocity|Xorg=xorg.conf|XQuery=xqy,xq,xql,xqm|XSLT|Xtend|xtlang=extempore|XUL+mozpreproc|YAML=yml|YAML+Jinja=salt,sls|YANG|YARA=yar|Zeek=bro
Zephir|Zig|Zone
`;

interface Languages {
  readonly names: ReadonlySet<string>;
  /** In small letters → the name. */
  readonly meant: ReadonlyMap<string, string>;
}

/** Read only when a file has a playground. */
const languages = once((): Languages => {
  const meant = new Map<string, string>();
  const rows = LEXERS.trim()
    .split(/[|\n]/)
    .map((row) => row.split(/[=,]/));
  for (const [name = "", ...aliases] of rows) for (const alias of aliases) meant.set(alias.toLowerCase(), name);
  for (const [name = ""] of rows) meant.set(name.toLowerCase(), name);
  return { names: new Set(rows.map(([name = ""]) => name)), meant };
});

/** The name that clients compare with, if the text is only an alias of it: then no code block gets the button. */
export function languageMeant(language: string): string | undefined {
  const { names, meant } = languages();
  return names.has(language) ? undefined : meant.get(language.toLowerCase());
}
