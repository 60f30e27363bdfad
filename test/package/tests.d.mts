/** The files with end-to-end tests for a Node. */
export declare function testsOn(isTried: boolean): string[];
