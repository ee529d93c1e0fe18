"""Words that two texts may differ in, and those that they may not, Chinese ones as characters."""


def _words(english: str, chinese: str = "") -> frozenset[str]:
    return frozenset((*english.split(), *chinese))


COMMON = _words(
    """
    a an the this that these those it its he him his she her they them their we our you your i my
    is are was were be been being am do does did have has had having will would shall can could may
    might must should of in on at by for from to with into onto as than then there here and or but
    so if while when where which who whom whose what how because since also such s t via per
    """
)
"""They say little by themselves."""

OPENERS = _words(
    """
    however therefore thus hence moreover furthermore additionally besides conversely similarly
    likewise instead meanwhile finally consequently accordingly indeed generally usually typically
    basically essentially simply clearly obviously note according although though despite given
    using based let each
    """
)
"""Capitals at the beginning of a sentence that are no names."""

NEGATIONS = _words(
    """
    not never no none neither nor cannot without nobody nothing nowhere hardly barely scarcely
    false falsely wrong wrongly incorrect incorrectly untrue myth mistaken mistakenly mistake deny
    denies denied refuted refutes disproved disproves fake rumour rumor unlike except excluding
    dont doesnt didnt isnt arent wasnt werent wont wouldnt cant couldnt shouldnt hasnt havent hadnt
    fail fails failed lack lacks lacked
    """,
    "不没未无非否莫勿别毋弗错假误谬伪谣",
)

NUMBERS = _words(
    """
    two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred
    hundreds thousand thousands million millions billion billions trillion dozen dozens half twice
    double triple quarter percent both
    """,
    "〇零一二三四五六七八九十百千万亿两半双倍几数",
)

QUALIFIERS = _words(
    """
    first second third fourth fifth last next previous former latter only all few fewer less least
    """,
    "前后原副首次末仅只全最",
)
"""With one of them more a text speaks of something else: the first president, 前首相."""

OPPOSITES = _words(
    """
    before after earlier later early late more less greater smaller larger bigger higher lower
    highest lowest largest smallest maximum minimum above below increase increases increased
    decrease decreases decreased rise rises rose fall falls fell up down left right north south east
    west northern southern eastern western old new older newer oldest newest always sometimes often
    rarely some many every inside outside internal external male female men women man woman boy girl
    father mother son daughter brother sister husband wife won win wins lost lose loses accept
    accepts accepted reject rejects rejected open opens opened close closes closed begin begins
    began end ends ended start starts started stop stops stopped buy buys bought sell sells sold
    import imports export exports best worst better worse good bad positive negative true yes long
    short hot cold strong weak rich poor black white red green blue yellow monday tuesday wednesday
    thursday friday saturday sunday january february march april june july august september october
    november december
    """,
    "先初终上下左右东南西北内外高低大小多少长短轻重快慢早晚新旧老强弱冷热好坏优劣正负"
    "男女父母兄弟姐妹夫妻增减升降涨跌加输赢胜败买卖借贷红黑白绿蓝黄更真始止开关",
)
"""One of them may be left out, but none stands in the place of another."""

PREFIXES = ("un", "in", "im", "ir", "il", "non", "dis", "anti", "mis", "counter", "de")
"""What turns a word into its opposite."""
