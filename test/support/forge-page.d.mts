export declare function pageOf(markdown: string): string;
export declare function effectsOf(html: string, links?: RegExp): readonly string[];
export declare function shapeOf(html: string): string;
export declare function codeIn(html: string): readonly string[];
